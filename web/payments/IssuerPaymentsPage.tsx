import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign } from 'lucide-react'
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
import { SearchField } from '#web/table/SearchField.tsx'
import { usePanel } from '#web/table/use-panel.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { counted } from '#web/ui/format.ts'
import { paymentColumns } from './columns.tsx'
import { ALL, affiliateOptions, exportOf, passes } from './filters.ts'
import { PaymentCount } from './PaymentCount.tsx'
import { PaymentFilters } from './PaymentFilters.tsx'
import { PaymentPanel, paymentName } from './PaymentPanel.tsx'
import { paymentsQuery } from './queries.ts'

const { id, affiliate, period, amount, status, paidOn } = paymentColumns
const columns: Column<Payment>[] = [id, affiliate, period, amount, status, paidOn]

const NO_FILTERS = { q: '', afiliado: '', estado: ALL }

export default function IssuerPaymentsPage() {
  const list = useQuery(paymentsQuery())
  const panel = usePanel(rowParams.payment)
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const affiliates = useMemo(() => affiliateOptions(list.data ?? []), [list.data])
  const shown = useCallback((payment: Payment) => passes(payment, filters), [filters])
  return (
    <Page
      title="Pagos"
      description="Lo que se paga a cada afiliado de tu red por periodo. El administrador los registra."
      count={list.data && <PaymentCount payments={list.data} shown={shown} />}
      action={
        <>
          <ExplainSearch viewer="issuer" />
          <ExportMenu of={exports.payments} query={exportOf(filters)} />
        </>
      }
      filters={
        <FilterBar
          search={
            <SearchField
              value={filters.q}
              onChange={(q) => change({ q })}
              placeholder="Buscar por nombre de afiliado..."
            />
          }
          count={count}
          onClear={clear}
          found={list.data && counted(list.data.filter(shown).length, 'pago', 'pagos')}
        >
          <PaymentFilters filters={filters} onChange={change} affiliates={affiliates} />
        </FilterBar>
      }
    >
      <DataTable
        query={list}
        columns={columns}
        opens={{ panel, name: paymentName }}
        filter={active ? shown : undefined}
        loading="Cargando pagos..."
        errorText="Error al cargar los pagos"
        empty="No hay pagos registrados"
        emptyHint="Aquí aparecerán los pagos a tus afiliados cuando el administrador los registre."
        emptyIcon={CircleDollarSign}
        emptySearch="No hay pagos para los filtros seleccionados"
        actions={(payment) => [viewAction(() => panel.open(payment.id), { label: `Ver pago ${payment.id}` })]}
      />
      <PaymentPanel panel={panel} list={list} own="issuer" />
    </Page>
  )
}
