import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { useAuth } from '#web/auth/auth-context.tsx'
import { AccessCard } from '#web/settings/AccessCard.tsx'
import { IssuerKeys } from '#web/settings/IssuerKeys.tsx'
import { LoadedCard } from '#web/settings/LoadedCard.tsx'
import { ISSUER_FAILED, ownIssuerQuery } from '#web/settings/own-company.ts'
import { Page } from '#web/shell/Page.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Facts } from '#web/ui/Card.tsx'
import { ClientLink } from './ClientLink.tsx'
import { Connect } from './Connect.tsx'
import { Received } from './Received.tsx'

export default function IssuerIntegrationPage() {
  const { user } = useAuth()
  const [shown, setShown] = useState({ api: false, postback: false, signing: false })
  const issuer = useQuery({ ...ownIssuerQuery(user?.issuer_id ?? 0), enabled: Boolean(user?.issuer_id) })
  return (
    <Page
      title="Integración"
      description="Lo que tu sistema necesita para reportar qué pasó con cada lead: claves, solicitudes listas, pruebas y lo que ha llegado."
      action={
        <>
          <ClientLink file="afluente.ts" />
          <ClientLink file="afluente.php" />
          <ClientLink file="afluente-api.ts" />
          <a href="/api/docs/" target="_blank" rel="noopener" className={buttonLook()}>
            <BookOpen aria-hidden className="size-4" />
            Documentación de la API
          </a>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6">
        <LoadedCard
          title="Tus claves"
          description="Guárdalas en tu servidor, nunca en una página o una aplicación. Mientras una se muestra, también aparece en el código de abajo."
          query={issuer}
          loading="Cargando tus claves..."
          failed={ISSUER_FAILED}
        >
          {(data) => (
            <Facts>
              <IssuerKeys
                issuer={data}
                labels={{
                  api: 'API key: encabezado X-API-Key',
                  signing: 'Secreto de firma: nunca viaja, con él se calcula webhook-signature',
                  postback: 'Token de postback: solo para postbacks con macros',
                }}
                onShown={(which, is) => setShown((now) => ({ ...now, [which]: is }))}
              />
            </Facts>
          )}
        </LoadedCard>
        <Connect
          apiKey={shown.api ? issuer.data?.api_key : undefined}
          secret={shown.signing ? issuer.data?.signing_secret : undefined}
          token={shown.postback ? issuer.data?.postback_token : undefined}
        />
        <AccessCard owner={{ noun: 'issuer', id: user?.issuer_id ?? 0 }} />
        <Received />
      </div>
    </Page>
  )
}
