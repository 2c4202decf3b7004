import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign, ReceiptText } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { exports } from '#contract/exports.ts'
import type { Payment } from '#contract/payments.ts'
import { ExplainSearch } from '#web/explain/ExplainSearch.tsx'
import { rowParams } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { usePanel } from '#web/table/use-panel.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { counted, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Select } from '#web/ui/Select.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { paymentColumns } from './columns.tsx'
import { ALL, exportOf, issuerOptions, monthOptions, passes, yearOptions } from './filters.ts'
import { PaymentFilters } from './PaymentFilters.tsx'
import { PaymentPanel, paymentName } from './PaymentPanel.tsx'
import { paymentsQuery } from './queries.ts'
import { summaryOf } from './summary.ts'

const { id, issuer, period, amount, status, paidOn } = paymentColumns
const columns: Column<Payment>[] = [id, { ...issuer, card: 'title' }, period, amount, status, paidOn]

const NO_FILTERS = { emisor: '', anio: ALL, mes: ALL, estado: ALL }
type Filters = typeof NO_FILTERS

export default function AffiliatePaymentsPage() {
  const list = useQuery(paymentsQuery())
  const panel = usePanel(rowParams.payment)
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback((payment: Payment) => passes(payment, filters), [filters])
  return (
    <Page
      title="Pagos"
      description="Lo que cada emisor te paga por periodo, con las comisiones que lo respaldan."
      action={
        <>
          <ExplainSearch viewer="affiliate" />
          <ExportMenu of={exports.payments} query={exportOf(filters)} />
        </>
      }
      filters={
        <FilterBar
          count={count}
          onClear={clear}
          found={list.data && counted(list.data.filter(shown).length, 'pago', 'pagos')}
        >
          <FilterRow payments={list.data ?? []} filters={filters} onChange={change} />
        </FilterBar>
      }
    >
      <Summary payments={list.data} shown={shown} failed={list.isError} />
      <DataTable
        query={list}
        columns={columns}
        opens={{ panel, name: paymentName }}
        filter={active ? shown : undefined}
        loading="Cargando pagos..."
        errorText="Error al cargar los pagos"
        empty="No hay pagos registrados"
        emptyHint="Aquí aparecerá tu primer pago cuando el administrador lo registre."
        emptyIcon={CircleDollarSign}
        emptySearch="No hay pagos para los filtros seleccionados"
        actions={(payment) => [viewAction(() => panel.open(payment.id), { label: `Ver pago ${payment.id}` })]}
      />
      <PaymentPanel panel={panel} list={list} own="affiliate" />
    </Page>
  )
}

interface FilterProps {
  payments: readonly Payment[]
  filters: Filters
  onChange: (changes: Partial<Filters>) => void
}

function FilterRow({ payments, filters, onChange }: FilterProps) {
  const options = useMemo(
    () => ({ issuers: issuerOptions(payments), years: yearOptions(payments), months: monthOptions(payments) }),
    [payments],
  )
  return (
    <PaymentFilters filters={filters} onChange={onChange} issuers={options.issuers}>
      <Select
        aria-label="Año"
        options={options.years}
        value={filters.anio}
        onChange={(anio) => onChange({ anio })}
        className="w-[calc(50%-0.25rem)] sm:w-40"
      />
      <Select
        aria-label="Mes"
        options={options.months}
        value={filters.mes}
        onChange={(mes) => onChange({ mes })}
        className="w-[calc(50%-0.25rem)] sm:w-44"
      />
    </PaymentFilters>
  )
}

interface SummaryProps {
  payments: readonly Payment[] | undefined
  shown: (payment: Payment) => boolean
  failed: boolean
}

function Summary({ payments, shown, failed }: SummaryProps) {
  const summary = useMemo(() => payments && summaryOf(payments.filter(shown)), [payments, shown])
  const unknown = failed ? '-' : undefined
  return (
    <div className="mb-4">
      <StatRow label="Resumen" count={2} busy={!summary && !failed}>
        <StatCard
          label="Pagos encontrados"
          icon={ReceiptText}
          value={summary ? formatNumber(summary.count) : unknown}
        />
        <StatCard
          label="Monto total"
          icon={CircleDollarSign}
          value={summary ? <Money value={summary.amount} /> : unknown}
          {...(summary?.cancelled && {
            note: `Sin contar ${counted(summary.cancelled, 'pago cancelado', 'pagos cancelados')}`,
          })}
        />
      </StatRow>
    </div>
  )
}
