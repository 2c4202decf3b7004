import { LeadList } from './LeadList.tsx'

export default function AffiliateLeadsPage() {
  return (
    <LeadList
      viewer="affiliate"
      title="Mis Leads"
      description="Los clics de tus enlaces y lo que pasó después."
      dropdowns={['issuer', 'product']}
    />
  )
}
