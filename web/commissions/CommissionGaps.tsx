import { useQuery } from '@tanstack/react-query'
import { HandCoins } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type CommissionGap, commissions } from '#contract/commissions.ts'
import { useRefusal } from '#web/auth/rights.ts'
import type { Column, RowAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatNumber } from '#web/ui/format.ts'
import { matches } from '#web/ui/matches.ts'
import { CommissionCreateDialog } from './dialogs.ts'
import { commissionGapsQuery } from './queries.ts'

export const UnpaidEvents = ({ gap }: { gap: CommissionGap }) =>
  gap.unpaid_events > 0 ? (
    <Badge tone="danger">{formatNumber(gap.unpaid_events)}</Badge>
  ) : (
    <span className="text-muted">0</span>
  )

const columns: Column<CommissionGap>[] = [
  { header: 'Producto', cell: (gap) => gap.product_name, sort: (gap) => gap.product_name, card: 'meta' },
  {
    header: 'Afiliado',
    cell: (gap) => <Company name={gap.affiliate_name} />,
    sort: (gap) => gap.affiliate_name,
    card: 'title',
  },
  {
    header: 'Eventos sin comisión',
    cell: (gap) => <UnpaidEvents gap={gap} />,
    sort: (gap) => gap.unpaid_events,
    align: 'right',
    card: 'chip',
    brief: (gap) =>
      gap.unpaid_events > 0 && <Badge tone="danger">{counted(gap.unpaid_events, 'evento', 'eventos')}</Badge>,
  },
  {
    header: 'Desde',
    cell: (gap) => <Day value={gap.unpaid_since} missing="-" />,
    sort: (gap) => gap.unpaid_since,
  },
]

export const configureAction = (
  gap: CommissionGap,
  onClick: () => void,
  disabledReason: string | undefined,
): RowAction => ({
  label: `Configurar comisión de ${gap.affiliate_name} por ${gap.product_name}`,
  icon: HandCoins,
  opens: true,
  onClick,
  disabledReason,
})

/** What affiliates of the issuer promote and are paid nothing for, as searched; nothing is drawn where there is none. */
export function CommissionGaps({ q }: { q: string }) {
  const [open, setOpen] = useState<CommissionGap>()
  const refuse = useRefusal()
  const list = useQuery(commissionGapsQuery())
  const rows = useMemo(
    () => list.data?.filter((gap) => matches(q, [gap.product_name, gap.affiliate_name])) ?? [],
    [list.data, q],
  )
  return (
    <>
      {rows.length > 0 && (
        <section aria-labelledby="sin-comision" className="mb-8">
          <h2 id="sin-comision" className="text-base font-semibold">
            Sin comisión: {counted(rows.length, 'afiliado y producto', 'afiliados y productos')}
          </h2>
          <p className="mt-0.5 mb-3 max-w-3xl text-muted">
            Tienen un paso que genera comisión, pero no hay un monto configurado: los eventos que reportas se guardan y
            el afiliado no gana nada.
          </p>
          <DataTable
            query={{ ...list, data: rows }}
            columns={columns}
            label="Sin comisión"
            // What was lost by it comes first, also where not all rows are shown.
            initialSort={{ header: 'Eventos sin comisión', desc: true }}
            top={5}
            empty="Todas las comisiones están configuradas"
            actions={(gap) => [configureAction(gap, () => setOpen(gap), refuse(commissions.create))]}
          />
        </section>
      )}
      {/* Stays while its row goes, as when an answer was lost and the list is loaded anew. */}
      {open && <CommissionCreateDialog of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
