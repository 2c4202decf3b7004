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
  ...['Rechazada', 'Rechazo por buró', 'DECLINED', 'Declinado', 'Denegada', 'No aprobada'].map((value) => [
    value,
    'reject',
  ]),
  ...['Cancelada por el cliente', 'Cancelación temprana'].map((value) => [value, 'reject']),
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
  ...['No rechazada', 'No denegada', 'Sin rechazo', 'Por cancelar', 'Cancelación en trámite', 'Rechazo en revisión'],
  ...['En análisis', 'APPROVED', '', 'constructor'],
])('%j is for a person to say', (value) => expect(guessOf(value)).toBeUndefined())
