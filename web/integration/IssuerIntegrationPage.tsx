import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import type { Issuer } from '#contract/issuers.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { LoadedCard } from '#web/settings/LoadedCard.tsx'
import { ISSUER_FAILED, ownIssuerQuery, useRotateIssuerKey, useRotatePostbackToken } from '#web/settings/own-company.ts'
import { SecretKey } from '#web/settings/SecretKey.tsx'
import { Page } from '#web/table/Page.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Connect } from './Connect.tsx'
import { Received } from './Received.tsx'

export default function IssuerIntegrationPage() {
  const { user } = useAuth()
  const [shown, setShown] = useState({ key: false, token: false })
  const issuer = useQuery({ ...ownIssuerQuery(user?.issuer_id ?? 0), enabled: Boolean(user?.issuer_id) })
  return (
    <Page
      title="Integración"
      description="Lo que tu sistema necesita para reportar qué pasó con cada lead: claves, solicitudes listas, pruebas y lo que ha llegado."
      action={
        <a href="/api/docs/" target="_blank" rel="noopener" className={buttonLook()}>
          <BookOpen aria-hidden className="size-4" />
          Documentación de la API
        </a>
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
            <Keys
              issuer={data}
              onKeyShown={(key) => setShown((now) => ({ ...now, key }))}
              onTokenShown={(token) => setShown((now) => ({ ...now, token }))}
            />
          )}
        </LoadedCard>
        <Connect
          apiKey={shown.key ? issuer.data?.api_key : undefined}
          token={shown.token ? issuer.data?.postback_token : undefined}
        />
        <Received />
      </div>
    </Page>
  )
}

interface KeysProps {
  issuer: Issuer | undefined
  onKeyShown: (shown: boolean) => void
  onTokenShown: (shown: boolean) => void
}

function Keys({ issuer, onKeyShown, onTokenShown }: KeysProps) {
  const rotateKey = useRotateIssuerKey(issuer?.id)
  const rotateToken = useRotatePostbackToken(issuer?.id)
  return (
    <Facts>
      <Fact label="API key: encabezado X-API-Key y secreto de la firma" wide>
        <SecretKey
          name="la API key"
          label="API key"
          value={issuer?.api_key}
          loading={!issuer}
          rotate={rotateKey}
          onShown={onKeyShown}
        />
      </Fact>
      <Fact label="Token de postback: solo para postbacks con macros" wide>
        <SecretKey
          name="el token de postback"
          label="token de postback"
          value={issuer?.postback_token}
          loading={!issuer}
          rotate={rotateToken}
          onShown={onTokenShown}
        />
      </Fact>
    </Facts>
  )
}
