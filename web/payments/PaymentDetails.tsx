import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { BEFORE_TAXES, exports } from '#contract/exports.ts'
import { changedSince } from '#contract/payment-texts.ts'
import type { Payment } from '#contract/payments.ts'
import type { Role } from '#contract/roles.ts'
import { ApiError } from '#web/api/errors.ts'
import { Explain } from '#web/explain/Explain.tsx'
import { paths, rowParams } from '#web/paths.ts'
import { PaymentBadge } from '#web/states/StateBadges.tsx'
import { DetailPanel } from '#web/table/DetailPanel.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Day, DayTime } from '#web/ui/dates.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Pages } from '#web/ui/Pagination.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { EntryLines } from './EntryLines.tsx'
import type { PanelProps } from './PaymentPanel.tsx'
import { hasChanged, Period } from './PaymentParts.tsx'
import { PrintStatement } from './PrintStatement.tsx'
import { paymentEntriesQuery, paymentQuery } from './queries.ts'

/** A payment with the commissions that make it up. */
export default function PaymentDetails({ panel, list, own, ...rest }: PanelProps) {
  const id = panel.id ?? 0
  const known = list.data?.find((payment) => payment.id === id)
  const query = useQuery({ ...paymentQuery(id, known), enabled: id > 0 })
  return (
    <DetailPanel
      panel={panel}
      noun="Pago"
      row={query.data ?? known}
      query={query}
      errorText="Error al cargar el pago"
      isMissing={id === 0 || (query.error instanceof ApiError && query.error.status === 404)}
      {...rest}
    >
      {(payment) => (
        <>
          <PaymentFacts payment={payment} own={own} />
          <p className="mt-4 text-xs text-muted">{BEFORE_TAXES}.</p>
          {hasChanged(payment) && (
            <p className="mt-4 rounded-lg bg-danger-soft px-3 py-2 text-danger-ink">{changedSince(payment)}</p>
          )}
          <Behind payment={payment} viewer={own ?? 'admin'} />
        </>
      )}
    </DetailPanel>
  )
}

const PaymentFacts = ({ payment, own }: { payment: Payment; own: PanelProps['own'] }) => (
  <Facts>
    <Fact label="Monto total">
      <Money value={payment.total_amount} className="text-xl font-semibold text-money-ink" />
    </Fact>
    <Fact label="Estado">
      <PaymentBadge status={payment.payment_status} />
    </Fact>
    {own !== 'issuer' && <Fact label="Emisor">{payment.issuer_name}</Fact>}
    {own !== 'affiliate' && <Fact label="Afiliado">{payment.affiliate_name}</Fact>}
    <Fact label="Periodo" wide>
      <Period payment={payment} />
    </Fact>
    {own !== 'affiliate' && (
      <>
        <Fact label="Total de leads">{payment.total_leads}</Fact>
        <Fact label="Conversiones">{`${payment.total_conversions} (${payment.conversion_rate.toFixed(2)}%)`}</Fact>
      </>
    )}
    {Number(payment.adjustment) !== 0 && payment.payment_status !== 'cancelled' && (
      <Fact label="Ajuste" wide>
        <Money value={payment.adjustment} />
        <span className="text-muted">
          {' '}
          sobre <Money value={payment.calculated_amount} /> en comisiones, capturado a propósito
        </span>
        <p className="wrap-anywhere whitespace-pre-line">{payment.adjustment_reason || 'Sin motivo indicado'}</p>
      </Fact>
    )}
    <Fact label="Fecha de pago">
      <Day value={payment.payment_date} missing="Sin fecha asignada" />
    </Fact>
    {payment.paid_at && payment.payment_status !== 'paid' && (
      <Fact label="Se había pagado">
        <DayTime value={payment.paid_at} />
      </Fact>
    )}
    {payment.cancel_reason && (
      <Fact label="Motivo de la cancelación" wide>
        <span className="wrap-anywhere whitespace-pre-line">{payment.cancel_reason}</span>
      </Fact>
    )}
    {payment.notes && (
      <Fact label="Notas" wide>
        <span className="whitespace-pre-line">{payment.notes}</span>
      </Fact>
    )}
    <Fact label="Creado">
      <DayTime value={payment.created_at} />
    </Fact>
    <Fact label="Actualizado">
      <DayTime value={payment.updated_at} />
    </Fact>
  </Facts>
)

function Behind({ payment, viewer }: { payment: Payment; viewer: Role }) {
  const [page, setPage] = useState(1)
  const query = useQuery(paymentEntriesQuery(payment.id, page))
  const shown = useShownPage(query.data, setPage)
  return (
    <section aria-label="Comisiones que lo respaldan" className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 className="font-semibold">Comisiones que lo respaldan</h3>
          <Explain of={{ kind: 'payment', id: payment.id }} name={`Pago ${payment.id}`} viewer={viewer} />
        </div>
        <span className="flex flex-wrap justify-end gap-2">
          <PrintStatement id={payment.id} />
          <ExportMenu of={exports.paymentEntries} params={{ id: payment.id }} />
        </span>
      </div>
      {shown && shown.results.length === 0 && <NothingBehind payment={payment} />}
      {shown && shown.results.length > 0 && (
        <EntryLines
          label="Comisiones del pago"
          viewer={viewer}
          entries={shown.results}
          head={({ lead_id, step_name }) =>
            lead_id === null ? (
              step_name
            ) : (
              <Link to={`${paths[viewer].leads}?${rowParams.lead}=${lead_id}`} className={LINK}>
                Lead {lead_id}
              </Link>
            )
          }
          detail={({ kind, step_name, product_name }) =>
            [product_name, kind === 'bonus' || kind === 'adjustment' ? '' : step_name].filter(Boolean).join(' · ') ||
            'Sin producto'
          }
        />
      )}
      {!shown && (query.isError ? <ErrorState text="Error al cargar las comisiones" query={query} /> : <Waiting />)}
      {shown && shown.pagination.total_pages > 1 && (
        <div className="mt-3 flex justify-end">
          <Pages page={page} pages={shown.pagination.total_pages} busy={query.isFetching} onPage={setPage}>
            {`Página ${page} de ${shown.pagination.total_pages} (${shown.pagination.count} comisiones)`}
          </Pages>
        </div>
      )}
    </section>
  )
}

const NothingBehind = ({ payment }: { payment: Payment }): ReactNode => (
  <EmptyState
    text="Este pago no tiene comisiones"
    hint={
      payment.payment_status === 'cancelled'
        ? 'Al cancelarlo, quedaron libres para otro pago.'
        : 'Ninguna comisión del periodo entró en él.'
    }
  />
)

const Waiting = () => (
  <p role="status" className="text-muted">
    Cargando comisiones...
    <Skeleton className="mt-3 w-full" />
  </p>
)
