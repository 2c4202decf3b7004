import { useQuery } from '@tanstack/react-query'
import type { Issuer } from '#contract/issuers.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { Page } from '#web/table/Page.tsx'
import { Fact } from '#web/ui/Card.tsx'
import { CompanyCard } from './CompanyCard.tsx'
import { LoadedCard } from './LoadedCard.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { ISSUER_FAILED, ownIssuerQuery, useRotateIssuerKey, useRotatePostbackToken } from './own-company.ts'
import { SecretKey } from './SecretKey.tsx'
import { SecurityCard } from './SecurityCard.tsx'

const TITLE = 'Datos del emisor'

export default function IssuerSettingsPage() {
  const { user } = useAuth()
  const issuer = useQuery({ ...ownIssuerQuery(user?.issuer_id ?? 0), enabled: Boolean(user?.issuer_id) })
  return (
    <Page
      title="Configuraciones"
      description="Tus datos, los de tu empresa y las claves con que tus sistemas reportan."
    >
      <div className="grid gap-6">
        <OwnProfile />
        <LoadedCard title={TITLE} query={issuer} loading="Cargando los datos del emisor..." failed={ISSUER_FAILED}>
          {(data) => <OwnIssuer issuer={data} />}
        </LoadedCard>
        <SecurityCard />
      </div>
    </Page>
  )
}

function OwnIssuer({ issuer }: { issuer: Issuer }) {
  const rotateKey = useRotateIssuerKey(issuer.id)
  const rotateToken = useRotatePostbackToken(issuer.id)
  return (
    <CompanyCard title={TITLE} company={issuer}>
      <Fact label="API key" wide>
        <SecretKey name="la API key" label="API key" value={issuer.api_key} rotate={rotateKey} />
      </Fact>
      <Fact label="Token de postback" wide>
        <SecretKey
          name="el token de postback"
          label="token de postback"
          value={issuer.postback_token}
          rotate={rotateToken}
        />
      </Fact>
    </CompanyCard>
  )
}
