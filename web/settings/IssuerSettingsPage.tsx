import { useQuery } from '@tanstack/react-query'
import type { Issuer } from '#contract/issuers.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { Page } from '#web/table/Page.tsx'
import { Fact } from '#web/ui/Card.tsx'
import { CompanyCard } from './CompanyCard.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { ISSUER_FAILED, ownIssuerQuery, useRotateIssuerKey, useRotatePostbackToken } from './own-company.ts'
import { SecretKey } from './SecretKey.tsx'
import { SecurityCard } from './SecurityCard.tsx'

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
        <CompanyCard
          title="Datos del emisor"
          query={issuer}
          loading="Cargando los datos del emisor..."
          failed={ISSUER_FAILED}
        >
          {(own) => <Keys issuer={own} />}
        </CompanyCard>
        <SecurityCard />
      </div>
    </Page>
  )
}

function Keys({ issuer }: { issuer: Issuer | undefined }) {
  const rotateKey = useRotateIssuerKey(issuer?.id)
  const rotateToken = useRotatePostbackToken(issuer?.id)
  return (
    <>
      <Fact label="API key" wide>
        <SecretKey name="la API key" label="API key" value={issuer?.api_key} loading={!issuer} rotate={rotateKey} />
      </Fact>
      <Fact label="Token de postback" wide>
        <SecretKey
          name="el token de postback"
          label="token de postback"
          value={issuer?.postback_token}
          loading={!issuer}
          rotate={rotateToken}
        />
      </Fact>
    </>
  )
}
