import { Megaphone } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'

export default function AffiliateCampaignsPage() {
  return (
    <Page title="Campañas">
      <div className="rounded-xl border bg-surface shadow-card">
        <EmptyState
          icon={Megaphone}
          text="Esta sección está en desarrollo"
          hint="Mientras tanto, distingue tus campañas con los parámetros UTM de tus enlaces."
          action={
            <Link to={paths.affiliate.products} className={buttonLook()}>
              Ver mis enlaces
            </Link>
          }
        />
      </div>
    </Page>
  )
}
