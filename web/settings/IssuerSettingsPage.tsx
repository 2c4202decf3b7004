import { useQuery } from '@tanstack/react-query'
import { keyLabels } from '#contract/companies.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { NoticesCard } from '#web/notices/NoticesCard.tsx'
import { FactorsCard } from '#web/second-factors/FactorsCard.tsx'
import { Page } from '#web/shell/Page.tsx'
import { AccessCard } from './AccessCard.tsx'
import { CompanyCard } from './CompanyCard.tsx'
import { IssuerKeys } from './IssuerKeys.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { ISSUER_FAILED, ownIssuerQuery } from './own-company.ts'
import { SecurityCard } from './SecurityCard.tsx'

export default function IssuerSettingsPage() {
  const { user } = useAuth()
  const issuer = useQuery({ ...ownIssuerQuery(user?.issuer_id ?? 0), enabled: Boolean(user?.issuer_id) })
  return (
    <Page
      title="Configuraciones"
      description="Tus datos, los de tu empresa y las claves con que tus sistemas reportan."
    >
      <div className="grid grid-cols-1 gap-6">
        <OwnProfile />
        <CompanyCard
          title="Datos del emisor"
          query={issuer}
          loading="Cargando los datos del emisor..."
          failed={ISSUER_FAILED}
        >
          {(own) => <IssuerKeys issuer={own} labels={keyLabels} />}
        </CompanyCard>
        <AccessCard owner={{ noun: 'issuer', id: user?.issuer_id ?? 0 }} />
        <SecurityCard />
        <FactorsCard />
        <NoticesCard />
      </div>
    </Page>
  )
}
