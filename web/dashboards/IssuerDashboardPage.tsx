import { paths } from '#web/paths.ts'
import { Dashboards } from './Dashboards.tsx'
import { IssuerSummary } from './IssuerSummary.tsx'

const elsewhere = [
  { label: 'Leads', path: paths.issuer.leads },
  { label: 'Pagos', path: paths.issuer.payments },
]

export default function IssuerDashboardPage() {
  return (
    <Dashboards
      description="Cómo convierten tus productos y tu red de afiliados."
      elsewhere={elsewhere}
      results={paths.issuer.results}
      summary={<IssuerSummary />}
    />
  )
}
