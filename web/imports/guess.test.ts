import { expect, test } from 'vitest'
import { eventTypeNames } from '#contract/event-steps.ts'
import { guessValue } from './guess.ts'

function guessOf(value: string): string | undefined {
  const meaning = guessValue(value)
  return meaning?.action === 'step' ? eventTypeNames[Number(meaning.event_type_id) - 1] : meaning?.action
}

test.each([
  ...['Aprobada', 'APROBADO', 'aprobadas', 'Autorizada', 'autorizado'].map((value) => [value, 'aprobado']),
  ...['Entregada', 'ENTREGADO', 'Activada', 'activados'].map((value) => [value, 'entregado']),
  ...['Rechazada', 'RECHAZADO', 'Rechazo', 'DECLINED', 'Declinado'].map((value) => [value, 'reject']),
  ...['Denegada', 'Negado', 'No aprobada', 'Cancelada', 'Cancelada por el cliente'].map((value) => [value, 'reject']),
])('%s is taken for %s', (value, meaning) => expect(guessOf(value)).toBe(meaning))

test.each([
  ...[
    'No entregada',
    'Por entregar',
    'Pendiente de entrega',
    'Entrega parcial',
    'Entregada parcialmente',
    'Reentregada',
  ],
  ...['No activada', 'Desactivada', 'Inactivada', 'Inactiva', 'Activación en proceso', 'Sin activar'],
  ...[
    'Aprobación pendiente',
    'Aprobado con condiciones',
    'Aprobada, pendiente de firma',
    'Preaprobada',
    'Pre-aprobada',
  ],
  ...['Pre aprobada', 'Por aprobar', 'Sin aprobar', 'Desaprobada', 'Autorización en trámite', 'No autorizada'],
  ...['Aún no aprobada', 'Todavía no aprobado', 'No aprobada todavía', 'No aprobada aún', 'En espera de rechazo'],
  ...['No fue rechazada', 'Nunca rechazada', 'Posible rechazo', 'Rechazable', 'Prerechazada', 'Rechazada por error'],
  ...['Cancelación', 'Cancelación solicitada', 'En cancelación', 'Cancelada por confirmar', 'Cancelación revertida'],
  ...['No rechazada', 'No denegada', 'Sin rechazo', 'Por cancelar', 'Cancelación en trámite', 'Rechazo en revisión'],
  ...['En análisis', 'APPROVED', '', 'constructor'],
])('%j is for a person to say', (value) => expect(guessOf(value)).toBeUndefined())
