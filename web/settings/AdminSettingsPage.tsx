import { useQuery } from '@tanstack/react-query'
import { rightsQuery } from '#web/auth/rights.ts'
import { NoticesCard } from '#web/notices/NoticesCard.tsx'
import { FactorsCard } from '#web/second-factors/FactorsCard.tsx'
import { PolicyCard } from '#web/second-factors/PolicyCard.tsx'
import { Page } from '#web/shell/Page.tsx'
import { NetworkCard } from './NetworkCard.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { SecurityCard } from './SecurityCard.tsx'

export default function AdminSettingsPage() {
  const rights = useQuery(rightsQuery())
  return (
    <Page title="Configuración" description="Lo que vale para la red, tus datos y la seguridad de tu cuenta.">
      <div className="grid grid-cols-1 gap-6">
        <NetworkCard />
        <OwnProfile />
        <SecurityCard />
        <FactorsCard />
        {rights.data?.duty === 'owner' && <PolicyCard />}
        <NoticesCard />
      </div>
    </Page>
  )
}
