import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { IdParams, Money } from './fields.ts'
import { Reason } from './rulings.ts'

export const HoldReason = z.enum(['fraude', 'aclaracion', 'emisor', 'otro'], 'Selecciona un motivo')
export type HoldReason = z.infer<typeof HoldReason>
export const holdReasonLabels: Record<HoldReason, string> = {
  fraude: 'Sospecha de fraude',
  aclaracion: 'Aclaración en curso',
  emisor: 'A petición del emisor',
  otro: 'Otro',
}

export const ENTRY_LOCKED = 'La comisión ya está en un pago: cancela el pago antes de retenerla'
export const ENTRY_REJECTED = 'La comisión está rechazada: no hay nada que retener'
export const CHARGE_NOT_HELD = 'Es un cargo por cancelación: no se retiene, se descuenta de un pago próximo'
export const ALREADY_HELD = 'La comisión ya está retenida'
export const NOT_HELD = 'La comisión no está retenida'

/** The reason is read by issuer and affiliate, the note by administrators alone. */
export const HoldForm = z.object({ reason: HoldReason, note: Reason })
export type HoldForm = z.infer<typeof HoldForm>

export const ReleaseForm = z.object({ note: Reason })
export type ReleaseForm = z.infer<typeof ReleaseForm>

/** Of commissions that wait for an approval: those that are held besides, and their sum. */
export const heldAmong = { held: z.number().int(), held_amount: Money }

export const holds = {
  hold: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/commission-entries/:id/hold/',
    access: ['admin'],
    summary: 'Retener una comisión: ningún pago la toma hasta que se libere',
    params: IdParams,
    body: HoldForm,
    message: 'Comisión retenida exitosamente',
  }),
  release: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/commission-entries/:id/release/',
    access: ['admin'],
    summary: 'Liberar una comisión retenida',
    params: IdParams,
    body: ReleaseForm,
    message: 'Comisión liberada exitosamente',
  }),
}
