/** Why an event is not taken, for who sends it: the answers and the reference of the API have these from here. */
export const eventRefusals = {
  SIGNATURE_REQUIRED: { status: 401, text: 'El emisor exige eventos firmados' },
  INVALID_SIGNATURE: { status: 401, text: 'La firma no es válida o caducó' },
  UNKNOWN_TRACKING_ID: { status: 404, text: 'tracking_id desconocido' },
  UNKNOWN_EVENT: { status: 422, text: 'El producto del lead no tiene ese paso' },
  AMBIGUOUS_EVENT: { status: 422, text: 'El producto tiene varios pasos de ese tipo: indica step_id' },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    text: 'Ese identificador ya es de un evento de otro lead',
  },
} as const
export type EventRefusal = keyof typeof eventRefusals
