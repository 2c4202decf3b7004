import { addDays } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { dateOf, iso } from './calendar.ts'
import type { Clock } from './clock.ts'
import { fill } from './fill.ts'
import type { Books, DemoEntry, DemoPayment } from './ledger.ts'
import { type DemoEvent, type DemoLead, rateIdAt } from './network.ts'
import { Random } from './random.ts'

/** A payment as it was saved; a cancelled one holds nothing. */
export interface PlacedPayment extends Omit<DemoPayment, 'status'> {
  id: number
  status: DemoPayment['status'] | 'cancelled'
  cancelledAt: number | undefined
  bonus: number
}

const BONUS = 25_000
const BONUS_REASON = 'Bono por meta de volumen, acordado por correo'
const pesos = (centavos: number): string => (centavos / 100).toFixed(2)

export type Draft = Omit<PlacedPayment, 'id'> & { source: DemoPayment | undefined }

/** The payments, among them one with an agreed bonus and one that was cancelled. */
export async function insertPayments(
  tx: Tx,
  books: Books,
  clock: Clock,
): Promise<Map<DemoPayment | undefined, PlacedPayment>> {
  const inOrder = books.payments.toSorted((a, b) => a.createdAt - b.createdAt)
  const largestPaid = inOrder.filter(({ status }) => status === 'paid').toSorted((a, b) => b.amount - a.amount)[0]
  const drafts: Draft[] = inOrder.map((source) => ({
    ...source,
    source,
    cancelledAt: undefined,
    bonus: source === largestPaid ? BONUS : 0,
  }))
  drafts.push(...mistaken(inOrder))
  drafts.sort((a, b) => a.createdAt - b.createdAt)
  const random = new Random(31)
  const ids = await fill(
    tx,
    'payment',
    drafts.map((draft, index) => paymentRow(draft, index, random, clock)),
  )
  return new Map(drafts.map(({ source, ...draft }, index) => [source, { ...draft, id: ids[index] as number }]))
}

/** The same month once more, one day short, cancelled ten minutes later. */
function mistaken(payments: readonly DemoPayment[]): Draft[] {
  const original = payments.find(({ status }) => status !== 'paid') ?? payments.at(-1)
  if (!original) return []
  const createdAt = original.createdAt - 12 * 60_000
  const end = addDays(original.end, -1)
  return [
    {
      ...original,
      end,
      createdAt,
      cancelledAt: createdAt + 10 * 60_000,
      paidAt: undefined,
      status: 'cancelled',
      bonus: 0,
      source: undefined,
    },
  ]
}

export function paymentRow(draft: Draft, index: number, random: Random, clock: Clock): Record<string, unknown> {
  const settled = draft.paidAt ?? draft.cancelledAt ?? draft.createdAt
  const waits = { pending: 6, processing: 1, paid: 0, cancelled: 6 }[draft.status]
  return {
    relationship_id: draft.link.relationship_id,
    affiliate_id: draft.link.affiliate_id,
    issuer_id: draft.link.issuer_id,
    period_start: draft.start,
    period_end: draft.end,
    total_leads: draft.leads,
    total_conversions: draft.conversions,
    total_amount: pesos(draft.amount + draft.bonus),
    calculated_amount: pesos(draft.amount),
    adjustment_reason: draft.bonus ? BONUS_REASON : '',
    cancel_reason: draft.status === 'cancelled' ? 'Se capturó con un día menos de periodo y se hizo de nuevo' : '',
    paid_at: draft.status === 'paid' ? iso(draft.paidAt ?? draft.createdAt) : null,
    payment_status: draft.status,
    payment_date: draft.paidAt ? dateOf(draft.paidAt) : addDays(clock.today, waits),
    notes: notesOf(draft, index, random),
    created_at: iso(draft.createdAt),
    updated_at: iso(Math.min(settled, clock.now)),
  }
}

/** Notes as people write them: how the payment is proved, and why an amount differs. */
function notesOf(draft: Draft, index: number, random: Random): string {
  if (draft.status === 'cancelled') return ''
  if (draft.status === 'pending') return index % 2 ? '' : 'En espera de la factura del afiliado.'
  if (draft.status === 'processing') return 'Factura recibida y validada; sale en el siguiente lote de SPEI.'
  const date = dateOf(draft.paidAt ?? draft.createdAt).replaceAll('-', '')
  const key = `${draft.link.issuer.slice(0, 4).toUpperCase()}${date}${random.int(10_000_000, 99_999_999)}`
  const bonus = draft.bonus ? ' Incluye bono de $250.00 por meta de volumen, acordado por correo.' : ''
  return `Pago por SPEI. Clave de rastreo ${key}, referencia ${date.slice(1)}. CFDI folio A-${random.int(120, 980)}.${bonus}`
}

export async function insertEntries(
  tx: Tx,
  books: Books,
  leadIds: Map<DemoLead, number>,
  eventIds: Map<DemoEvent, number>,
  payments: Map<DemoPayment | undefined, PlacedPayment>,
): Promise<void> {
  const inOrder = books.entries.toSorted((a, b) => a.moment - b.moment)
  const earned = inOrder.filter((entry) => !entry.reversalOf)
  const row = (entry: DemoEntry) =>
    entryRow(entry, {
      lead: leadIds.get(entry.event.lead),
      event: eventIds.get(entry.event),
      payment: entry.payment && payments.get(entry.payment)?.id,
    })
  const ids = await fill(tx, 'commission_entry', earned.map(row))
  const entryIds = new Map(earned.map((entry, index) => [entry, ids[index]]))
  const takenBack = inOrder.filter((entry) => entry.reversalOf)
  const rows = takenBack.map((entry) => ({ ...row(entry), reversal_of: entryIds.get(entry.reversalOf as DemoEntry) }))
  await fill(tx, 'commission_entry', rows)
  await fill(tx, 'commission_entry', [...payments.values()].filter(({ bonus }) => bonus > 0).map(differenceRow))
}

/** What a payment adds to its commissions. */
function differenceRow({ id, link, bonus, status, createdAt, end, paidAt }: PlacedPayment) {
  return {
    ...{ relationship_id: link.relationship_id, affiliate_id: link.affiliate_id, issuer_id: link.issuer_id },
    ...{ kind: 'adjustment', amount: pesos(bonus), state: status === 'paid' ? 'paid' : 'in_payment', converts: 0 },
    ...{ payment_id: id, of_payment: id, note: BONUS_REASON, earned_at: iso(createdAt), due_on: end },
    updated_at: iso(paidAt ?? createdAt),
  }
}

interface EntryIds {
  lead: number | undefined
  event: number | undefined
  payment: number | undefined
}

export function entryRow(entry: DemoEntry, ids: EntryIds) {
  const { link } = entry.event.lead
  return {
    lead_id: ids.lead,
    tracking_id: entry.event.lead.tracking_id,
    converts: entry.converts,
    step_id: (entry.reversalOf ?? entry).event.step.id,
    lead_event_id: ids.event,
    commission_id: link.commission?.id,
    rate_id: link.commission ? rateIdAt(link.commission, (entry.reversalOf ?? entry).event.moment) : null,
    relationship_id: link.relationship_id,
    affiliate_id: link.affiliate_id,
    issuer_id: link.issuer_id,
    product_id: link.product_id,
    amount: pesos(entry.amount),
    state: entry.state,
    payment_id: ids.payment ?? null,
    reason: entry.reason,
    kind: entry.reversalOf ? 'reversal' : 'commission',
    earned_at: iso(entry.moment),
    due_on: dateOf(entry.moment),
    updated_at: iso(entry.changed),
  }
}
