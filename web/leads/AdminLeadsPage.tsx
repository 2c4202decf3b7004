import { LeadList } from './LeadList.tsx'

export default function AdminLeadsPage() {
  return (
    <LeadList
      viewer="admin"
      title="Gestión de Leads"
      description="Cada clic de la red y lo que pasó después."
      dropdowns={['issuer', 'affiliate', 'product']}
    />
  )
}
