import { CircleCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import { subtractAmounts } from '#contract/money.ts'
import { balanceAgainst } from '#contract/payment-texts.ts'
import { type OpenBalance, payments } from '#contract/payments.ts'
import { useRefusal } from '#web/auth/rights.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Day } from '#web/ui/dates.tsx'
import { isNegative } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { Money } from '#web/ui/Money.tsx'
import { type Companies, useUnpaid } from './Unpaid.tsx'

const PaymentDialog = laterDialog(async () => (await import('./PaymentDialog.tsx')).default)

const columns: Column<OpenBalance>[] = [
  {
    header: 'Afiliado',
    cell: (pair) => <Company name={pair.affiliate_name} />,
    sort: (pair) => pair.affiliate_name,
    card: 'title',
  },
  {
    header: 'Emisor',
    cell: (pair) => <Company name={pair.issuer_name} />,
    sort: (pair) => pair.issuer_name,
    card: 'meta',
  },
  {
    header: 'Desde',
    cell: (pair) => <Day value={pair.since} missing="-" />,
    sort: (pair) => pair.since,
    card: 'meta',
    brief: ({ since }) =>
      since && (
        <>
          desde el <Day value={since} />
        </>
      ),
  },
  {
    header: 'De ello aún no pagable',
    cell: (pair) =>
      pair.validating === '0.00' ? <span className="text-muted">-</span> : <Money value={pair.validating} />,
    sort: (pair) => Number(pair.validating),
    align: 'right',
    card: 'line',
    brief: (pair) => (pair.validating === '0.00' ? null : <Money value={pair.validating} />),
  },
  {
    header: 'Sin pago',
    cell: (pair) => <Money value={pair.accrued} />,
    sort: (pair) => Number(pair.accrued),
    align: 'right',
    card: 'amount',
  },
]

/** Why no payment would take anything of it now. */
function unpayable({ accrued, validating, since }: OpenBalance): string | undefined {
  if (since === null) return 'Todo está en validación, por aprobar o retenido'
  const payable = subtractAmounts(accrued, validating)
  return isNegative(payable) ? balanceAgainst(payable) : undefined
}

interface DialogProps {
  filters: Companies
  onClose: () => void
}

/** The relationships behind the line, each a step from its payment; it stays while one after the other is paid. */
export default function UnpaidDialog({ filters, onClose }: DialogProps) {
  const [paying, setPaying] = useState<OpenBalance>()
  const refusal = useRefusal()(payments.create)
  return (
    <Dialog
      title="Comisiones sin pago"
      description="Lo que cada relación ganó y no está en ningún pago."
      size="xl"
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      <DataTable
        query={useUnpaid(filters)}
        columns={columns}
        label="Comisiones sin pago"
        rowKey={(pair) => pair.relationship}
        loading="Cargando comisiones sin pago..."
        errorText="Error al cargar las comisiones sin pago"
        empty="Ninguna comisión ganada está sin pago"
        emptyIcon={CircleCheck}
        skeletonRows={3}
        actions={(pair) => [
          {
            label: `Crear pago de ${pair.issuer_name} a ${pair.affiliate_name}`,
            icon: Plus,
            opens: true,
            onClick: () => setPaying(pair),
            disabledReason: refusal ?? unpayable(pair),
          },
        ]}
      />
      {paying && <PaymentDialog pair={paying} onClose={() => setPaying(undefined)} />}
    </Dialog>
  )
}
