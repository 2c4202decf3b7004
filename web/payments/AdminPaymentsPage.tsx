import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign, Pencil, Plus, Printer, RefreshCcwDot, Trash2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { paymentChanges } from '#contract/payment-changes.ts'
import { PAYMENT_PAID } from '#contract/payment-texts.ts'
import { type Payment, payments } from '#contract/payments.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { ExplainSearch } from '#web/explain/ExplainSearch.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { rowParams } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, type RowAction, viewAction } from '#web/table/column.ts'
import { copyLink } from '#web/table/copy-link.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { CREATE, useAsked } from '#web/table/use-asked.ts'
import { type RowPanel, usePanel } from '#web/table/use-panel.ts'
import { useSelection } from '#web/table/use-selection.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { paymentColumns } from './columns.tsx'
import { ALL, exportOf, passes } from './filters.ts'
import { PaymentCount } from './PaymentCount.tsx'
import { PaymentFilters } from './PaymentFilters.tsx'
import { PaymentPanel, paymentName, paymentNouns } from './PaymentPanel.tsx'
import { paymentsQuery } from './queries.ts'
import { summaryOf } from './summary.ts'
import { Unpaid } from './Unpaid.tsx'

const PaymentRemoveDialog = laterDialog(async () => (await import('./PaymentRemoveDialog.tsx')).default)
const PaymentDialog = laterDialog(async () => (await import('./PaymentDialog.tsx')).default)
const PaymentStatusDialog = laterDialog(async () => (await import('./PaymentStatusDialog.tsx')).default)
const UnpaidDialog = laterDialog(async () => (await import('./UnpaidDialog.tsx')).default)
const PrintNow = lazy(() => import('./PrintNow.tsx'))

const { period, issuer, affiliate, amount, status, paidOn } = paymentColumns
const columns: Column<Payment>[] = [period, { ...issuer, spare: true }, affiliate, amount, status, paidOn]

type Refuse = ReturnType<typeof useRefusal>

const NO_FILTERS = { emisor: '', afiliado: '', estado: ALL }

type Open =
  | { kind: 'create' | 'unpaid' }
  | { kind: 'edit' | 'delete' | 'print'; payment: Payment }
  | { kind: 'status'; payments: readonly Payment[] }

export default function AdminPaymentsPage() {
  const [chosen, setOpen] = useState<Open>()
  const { asked, forget } = useAsked()
  const list = useQuery(paymentsQuery())
  const issuers = useQuery(issuerOptionsQuery())
  const affiliates = useQuery(affiliateOptionsQuery())
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const refuse = useRefusal()
  const panel = usePanel(rowParams.payment)
  const selection = useSelection(rowParams.payment)
  const open: Open | undefined = chosen ?? (asked === CREATE ? { kind: 'create' } : undefined)
  const close = () => {
    setOpen(undefined)
    forget()
  }
  const shown = useCallback((payment: Payment) => passes(payment, filters), [filters])
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(payments.create)}
    >
      Crear Pago
    </Button>
  )
  return (
    <Page
      title="Gestión de Pagos"
      description="Lo que se paga a cada afiliado por periodo, con las comisiones que lo respaldan."
      count={list.data && <PaymentCount payments={list.data} shown={shown} />}
      action={
        <>
          <ExplainSearch viewer="admin" />
          <ExportMenu of={exports.payments} query={exportOf(filters)} />
          {create}
        </>
      }
      filters={
        <FilterBar
          count={count}
          onClear={clear}
          found={list.data && counted(list.data.filter(shown).length, 'pago', 'pagos')}
        >
          <PaymentFilters filters={filters} onChange={change} issuers={issuers.data} affiliates={affiliates.data} />
        </FilterBar>
      }
    >
      <Unpaid filters={filters} onOpen={() => setOpen({ kind: 'unpaid' })} />
      <DataTable
        query={list}
        columns={columns}
        opens={{ panel, name: paymentName }}
        filter={active ? shown : undefined}
        selects={{
          selection,
          nouns: paymentNouns,
          name: paymentName,
          sum: (chosen) => formatMoney(summaryOf(chosen).amount),
          exports: exports.payments,
          actions: [
            {
              label: 'Cambiar estado',
              icon: RefreshCcwDot,
              onClick: (chosen) => setOpen({ kind: 'status', payments: chosen }),
              disabledReason: refuse(paymentChanges.setStatus),
            },
          ],
        }}
        loading="Cargando pagos..."
        errorText="Error al cargar los pagos"
        empty="No hay pagos registrados"
        emptyHint="Crea el primero y calcula su monto con las comisiones devengadas."
        emptyIcon={CircleDollarSign}
        emptyAction={create}
        emptySearch="No hay pagos para los filtros seleccionados"
        actions={(payment) => actionsFor(payment, panel, setOpen, refuse)}
        actionsOf={({ id }) => `del pago ${id}`}
      />
      <PaymentPanel panel={panel} list={list} menu={(payment) => menuFor(payment, setOpen, refuse)} />
      {open?.kind === 'unpaid' && <UnpaidDialog filters={filters} onClose={close} />}
      <Suspense>{open?.kind === 'print' && <PrintNow id={open.payment.id} onDone={close} />}</Suspense>
      {open?.kind === 'status' && (
        <PaymentStatusDialog payments={open.payments} selection={selection} panel={panel} onClose={close} />
      )}
      {open?.kind === 'create' && <PaymentDialog onClose={close} />}
      {open?.kind === 'edit' && <PaymentDialog payment={open.payment} onClose={close} />}
      {open?.kind === 'delete' && (
        <PaymentRemoveDialog
          payment={open.payment}
          onClose={close}
          onRemoved={panel.id === open.payment.id ? panel.closeRemoved : undefined}
        />
      )}
    </Page>
  )
}

const menuFor = (payment: Payment, open: (what: Open) => void, refuse: Refuse): MenuItem[] => [
  {
    label: 'Editar',
    icon: Pencil,
    onClick: () => open({ kind: 'edit', payment }),
    disabledReason: refuse(payments.update),
  },
  ...(payment.paid_at === null
    ? [
        {
          label: 'Eliminar',
          icon: Trash2,
          tone: 'danger' as const,
          onClick: () => open({ kind: 'delete', payment }),
          disabledReason: refuse(payments.remove),
        },
      ]
    : []),
]

/** A click on the row reads it, so that its icon is for what changes it. */
const actionsFor = (payment: Payment, panel: RowPanel, open: (what: Open) => void, refuse: Refuse): RowAction[] => [
  viewAction(() => panel.open(payment.id), { label: `Ver pago ${payment.id}` }),
  editAction(() => open({ kind: 'edit', payment }), {
    label: `Editar pago ${payment.id}`,
    main: true,
    disabledReason: refuse(payments.update),
  }),
  copyLink(panel.param, payment.id),
  { label: 'Imprimir', icon: Printer, onClick: () => open({ kind: 'print', payment }) },
  deleteAction(() => open({ kind: 'delete', payment }), {
    label: `Eliminar pago ${payment.id}`,
    disabledReason: refuse(payments.remove) ?? (payment.paid_at === null ? undefined : PAYMENT_PAID),
  }),
]
