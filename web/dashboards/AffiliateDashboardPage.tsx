import { paths } from '#web/paths.ts'
import { AffiliateSummary } from './AffiliateSummary.tsx'
import { Dashboards } from './Dashboards.tsx'

const elsewhere = [
  { label: 'Leads', path: paths.affiliate.leads },
  { label: 'Pagos', path: paths.affiliate.payments },
]

export default function AffiliateDashboardPage() {
  return (
    <Dashboards
      description="Cómo convierten tus enlaces y lo que ganas con ellos."
      elsewhere={elsewhere}
      results={paths.affiliate.results}
      summary={<AffiliateSummary />}
    />
  )
}
