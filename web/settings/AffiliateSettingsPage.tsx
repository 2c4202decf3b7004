import { useQuery } from '@tanstack/react-query'
import type { Affiliate } from '#contract/affiliates.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { accessQuery, hasNone, type Owner } from '#web/companies/access.ts'
import { ChangeKey } from '#web/companies/ChangeKey.tsx'
import { KeyState } from '#web/companies/KeyState.tsx'
import { ClientLink } from '#web/integration/ClientLink.tsx'
import { NoticesCard } from '#web/notices/NoticesCard.tsx'
import { FactorsCard } from '#web/second-factors/FactorsCard.tsx'
import { Page } from '#web/shell/Page.tsx'
import { Fact } from '#web/ui/Card.tsx'
import { AccessCard } from './AccessCard.tsx'
import { CompanyCard } from './CompanyCard.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { AFFILIATE_FAILED, ownAffiliateQuery } from './own-company.ts'
import { SecretKey } from './SecretKey.tsx'
import { SecurityCard } from './SecurityCard.tsx'

export default function AffiliateSettingsPage() {
  const { user } = useAuth()
  const affiliate = useQuery({ ...ownAffiliateQuery(user?.affiliate_id ?? 0), enabled: Boolean(user?.affiliate_id) })
  return (
    <Page title="Configuraciones" description="Tus datos y los de tu empresa.">
      <div className="grid grid-cols-1 gap-6">
        <OwnProfile />
        <CompanyCard
          title="Datos del afiliado"
          query={{ ...affiliate, refetch: () => location.reload() }}
          loading="Cargando los datos del afiliado..."
          failed={AFFILIATE_FAILED}
        >
          {(own) => <Keys affiliate={own} />}
        </CompanyCard>
        <AccessCard owner={{ noun: 'affiliate', id: user?.affiliate_id ?? 0 }} />
        <SecurityCard />
        <FactorsCard />
        <NoticesCard />
      </div>
    </Page>
  )
}

function Keys({ affiliate }: { affiliate: Affiliate | undefined }) {
  const owner: Owner = { noun: 'affiliate', id: affiliate?.id ?? 0 }
  const access = useQuery(accessQuery(owner))
  return (
    <Fact label="API key" wide>
      <SecretKey label="API key" value={affiliate?.api_key} loading={!affiliate}>
        <ChangeKey owner={owner} kind="api" first={hasNone(access.data, 'api')} loading={!affiliate} />
      </SecretKey>
      <KeyState owner={owner} kind="api" access={access.data} />
      <p className="mt-1.5 text-xs text-muted">
        Con ella tus sistemas consultan tus leads, comisiones, pagos, reportes y exportaciones, en el encabezado
        X-API-Key: mira la{' '}
        <a href="/api/docs/" target="_blank" rel="noopener" className="underline">
          documentación de la API
        </a>
        .
      </p>
      <p className="mt-2">
        <ClientLink file="afluente-api.ts" />
      </p>
    </Fact>
  )
}
