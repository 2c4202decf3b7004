import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exports } from '#contract/exports.ts'
import { changedSince } from '#contract/payment-texts.ts'
import type { Payment } from '#contract/payments.ts'
import { PaymentBadge } from '#web/states/StateBadges.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Day, DayTime } from '#web/ui/dates.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Entries } from './Entries.tsx'
import { hasChanged, Period } from './PaymentParts.tsx'
import { PrintStatement } from './PrintStatement.tsx'
import { paymentEntriesQuery } from './queries.ts'

interface Props {
  payment: Payment
  /** The viewer's side, whose name is left out. */
  own?: 'issuer' | 'affiliate'
  onClose: () => void
}

/** A payment with the commissions that make it up. */
export function PaymentDetailDialog({ payment, own, onClose }: Props) {
  const [page, setPage] = useState(1)
  const entries = useQuery(paymentEntriesQuery(payment.id, page))
  return (
    <Dialog title={`Pago ${payment.id}`} size="lg" onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
      <Facts className="pt-2">
        {own !== 'issuer' && <Fact label="Emisor">{payment.issuer_name}</Fact>}
        {own !== 'affiliate' && <Fact label="Afiliado">{payment.affiliate_name}</Fact>}
        <Fact label="Periodo">
          <Period payment={payment} />
        </Fact>
        <Fact label="Estado">
          <PaymentBadge status={payment.payment_status} />
        </Fact>
        {own !== 'affiliate' && (
          <>
            <Fact label="Total de leads">{payment.total_leads}</Fact>
            <Fact label="Conversiones">{`${payment.total_conversions} (${payment.conversion_rate.toFixed(2)}%)`}</Fact>
          </>
        )}
        <Fact label="Monto total">
          <span className="text-base font-semibold text-money-ink">
            <Money value={payment.total_amount} />
          </span>
        </Fact>
        {Number(payment.adjustment) !== 0 && payment.payment_status !== 'cancelled' && (
          <Fact label="Ajuste">
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
      {hasChanged(payment) && (
        <p className="mt-4 rounded-lg bg-danger-soft px-3 py-2 text-danger-ink">{changedSince(payment)}</p>
      )}
      <div className="mt-6 mb-2 flex items-center justify-between gap-2">
        <h3 className="font-semibold">Comisiones que lo respaldan</h3>
        <span className="flex flex-wrap justify-end gap-2">
          <PrintStatement id={payment.id} />
          <ExportMenu of={exports.paymentEntries} params={{ id: payment.id }} />
        </span>
      </div>
      <Entries
        query={entries}
        page={page}
        onPage={setPage}
        empty="Este pago no tiene comisiones"
        emptyHint={
          payment.payment_status === 'cancelled'
            ? 'Al cancelarlo, quedaron libres para otro pago.'
            : 'Ninguna comisión del periodo entró en él.'
        }
      />
    </Dialog>
  )
}
