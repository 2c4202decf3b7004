import { FactorsCard } from '#web/second-factors/FactorsCard.tsx'
import { Page } from '#web/shell/Page.tsx'
import { NetworkCard } from './NetworkCard.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { SecurityCard } from './SecurityCard.tsx'

export default function AdminSettingsPage() {
  return (
    <Page title="Configuración" description="Lo que vale para la red, tus datos y la seguridad de tu cuenta.">
      <div className="grid gap-6">
        <NetworkCard />
        <OwnProfile />
        <SecurityCard />
        <FactorsCard />
      </div>
    </Page>
  )
}
