import { LeadList } from './LeadList.tsx'

export default function IssuerLeadsPage() {
  return (
    <LeadList
      viewer="issuer"
      title="Mis Leads"
      description="Los clics hacia tus productos y lo que pasó después."
      dropdowns={['affiliate', 'product']}
    />
  )
}
