import { expect, test } from 'vitest'
import { type OwnEntry, waitsFor } from './commission-entries.ts'

const free: Parameters<typeof waitsFor>[0] = {
  ...{ state: 'accrued', standing: 'payable', amount: '500.00', due_on: '2025-03-04' },
  ...{ reason: null, note: null, reject_label: null, advice: null },
  ...{ payment_id: null, payment_date: null, payment_status: null },
}
const inPayment = { state: 'in_payment', payment_id: 7, payment_status: 'pending', payment_date: '2025-04-04' } as const

test.each<[Partial<OwnEntry>, string]>([
  [{}, 'Espera entrar en un pago'],
  [{ standing: 'held' }, 'Retenida: no se paga hasta que se libere'],
  [{ standing: 'awaiting', due_on: null }, 'Espera la aprobación del emisor'],
  [{ standing: 'validating' }, 'En validación hasta el día 2025-03-04'],
  [{ amount: '-500.00' }, 'Se descontará de un pago próximo'],
  [{ note: 'Bono por meta de volumen' }, 'Bono por meta de volumen: espera entrar en un pago'],
  [inPayment, 'Espera el pago 7, que está pendiente y se hará el día 2025-04-04'],
  [{ ...inPayment, payment_status: 'processing', payment_date: null }, 'Espera el pago 7, que se está procesando'],
  [{ ...inPayment, state: 'paid', payment_status: 'paid' }, 'Pagada en el pago 7, el día 2025-04-04'],
  [{ state: 'reversed', reason: 'Se capturó dos veces' }, 'Se capturó dos veces'],
  [
    { state: 'reversed', reject_label: 'Duplicado', advice: 'Revisa tus enlaces' },
    'Lead rechazado: Duplicado. Revisa tus enlaces',
  ],
])('what a commission waits for: %o', (change, sentence) => {
  expect(waitsFor({ ...free, ...change }, (day) => `día ${day}`)).toBe(sentence)
})
