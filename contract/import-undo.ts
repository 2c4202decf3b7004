import { z } from 'zod'

/** What undoing a row would move. */
export const UndoOutcome = z.enum(['take_back', 'charge', 'give_back', 'nothing'])
export type UndoOutcome = z.infer<typeof UndoOutcome>
export const undoOutcomeLabels: Record<UndoOutcome, string> = {
  take_back: 'Deja de valer',
  charge: 'Pagado, al menos en parte: lo pagado se descuenta del siguiente pago',
  give_back: 'Vuelve a valer',
  nothing: 'No mueve pesos',
}
