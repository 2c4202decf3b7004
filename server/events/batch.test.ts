import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { testTrackingId } from '#contract/integration.ts'
import { AppError } from '../http/errors.ts'
import { storeBatch } from './batch.ts'
import type { Intake } from './intake.ts'
import { type CleanEvent, unknownLead } from './sent-events.ts'

test('events of a lead that did not come in time wait all together, as they are stored in the order given', async () => {
  const lead: string = randomUUIDv7()
  // It comes right after the first event has waited for it.
  const arrivals = [false, true]
  const asked: (string | undefined)[] = []
  const busy = async () => {
    throw new AppError(429, 'RATE_LIMITED', 'Más tarde')
  }
  const intake = {
    db: { startTransaction: () => ({ execute: busy }) },
    events: {
      storeBatch: async (_: number, events: CleanEvent[]) =>
        events.map(({ event_id }) =>
          asked.push(event_id) > 2 ? { stored: { duplicate: false }, warnings: [] } : unknownLead(),
        ),
    },
    spool: {
      has: (id: string) => id === lead,
      drainedWithin: async () => arrivals.shift(),
      mayBeElsewhere: () => false,
    },
    measures: { event: () => undefined },
    digestKey: new Uint8Array(),
  } as unknown as Intake
  const event = (event_id: string, tracking_id = lead) => ({ tracking_id, event_id, event_type: 'aprobado' })
  const events = [event('1'), event('2'), event('3', testTrackingId(1)), event('4')]
  const { results } = await storeBatch(intake, { issuerId: 1, from: null, came: null }, events)
  expect(results.map(({ status }) => status)).toEqual([503, 503, 429, 503])
  expect(asked).toEqual(['1', '2'])
})
