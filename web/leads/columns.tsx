import { Columns3 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Lead } from '#contract/leads.ts'
import { LeadBadge } from '#web/states/StateBadges.tsx'
import type { Column } from '#web/table/column.ts'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Day } from '#web/ui/dates.tsx'
import { cutAt } from '#web/ui/format.ts'
import { CheckMenu } from '#web/ui/Menu.tsx'
import { Money } from '#web/ui/Money.tsx'

const columns: Column<Lead>[] = [
  { header: 'ID', cell: (lead) => <span className="whitespace-nowrap tabular-nums">{lead.id}</span>, card: 'meta' },
  {
    header: 'External ID',
    cell: (lead) =>
      lead.external_id ? <span className="break-all">{lead.external_id}</span> : <span className="text-muted">—</span>,
    card: 'meta',
    brief: (lead) => cutAt(lead.external_id ?? '', 16),
    width: 'max-w-36',
    spare: true,
  },
  { header: 'Emisor', cell: (lead) => <Company name={lead.issuer_name} />, spare: true },
  { header: 'Producto', cell: (lead) => lead.product_name, card: 'title' },
  { header: 'Fecha', cell: (lead) => <Day value={lead.created_at} />, card: 'meta', spare: true },
  { header: 'Estado', cell: (lead) => <LeadBadge state={lead.state} />, card: 'chip' },
  { header: 'Monto', align: 'right', cell: (lead) => <Money value={lead.amount} missing="—" />, card: 'amount' },
]
const withAffiliate: Column<Lead>[] = [
  ...columns,
  { header: 'Afiliado', cell: (lead) => <Company name={lead.affiliate_name} />, spare: true },
]

const KEY = 'leads.affiliate'

/** The affiliate is shown as last chosen in this browser; `menu` is where whoever sees leads of several chooses. */
export function useColumns(ofSeveral: boolean): { columns: readonly Column<Lead>[]; menu: ReactNode } {
  const [named, setNamed] = useState(() => localStorage.getItem(KEY) === '1')
  const choose = (next: boolean) => {
    localStorage.setItem(KEY, next ? '1' : '0')
    setNamed(next)
  }
  if (!ofSeveral) return { columns, menu: null }
  const menu = (
    <CheckMenu
      trigger={<Button icon={Columns3}>Columnas</Button>}
      items={[{ label: 'Afiliado', checked: named, onChange: choose }]}
    />
  )
  return { columns: named ? withAffiliate : columns, menu }
}
