import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { FactorsCard } from '#web/second-factors/FactorsCard.tsx'
import { Page } from '#web/shell/Page.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { OwnProfile } from './OwnProfile.tsx'
import { SecurityCard } from './SecurityCard.tsx'

export default function AdminSettingsPage() {
  return (
    <Page
      title="Configuración"
      description="Tus datos y la seguridad de tu cuenta."
      action={
        <>
          <Link to={paths.admin.commissions} className={buttonLook()}>
            Comisiones
          </Link>
          <Link to={paths.admin.terms} className={buttonLook()}>
            Condiciones
          </Link>
          <Link to={paths.admin.reasons} className={buttonLook()}>
            Motivos de rechazo
          </Link>
          <Link to={paths.admin.receivers} className={buttonLook()}>
            Webhooks
          </Link>
          <Link to={paths.admin.dashboards} className={buttonLook()}>
            Dashboards externos
          </Link>
          <Link to={paths.admin.mail} className={buttonLook()}>
            Correos
          </Link>
          <Link to={paths.admin.privacy} className={buttonLook()}>
            Datos personales
          </Link>
          <Link to={paths.admin.audit} className={buttonLook()}>
            Bitácora
          </Link>
        </>
      }
    >
      <div className="grid gap-6">
        <OwnProfile />
        <SecurityCard />
        <FactorsCard />
      </div>
    </Page>
  )
}
