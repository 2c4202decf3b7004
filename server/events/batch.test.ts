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

test('many long texts let what else there is to do through before they are stored', async () => {
  let others = 0
  let isDone = false
  const another = () => {
    others += 1
    if (!isDone) setImmediate(another)
  }
  setImmediate(another)
  const intake = {
    db: { startTransaction: () => ({ execute: async () => undefined }) },
    events: {
      storeBatch: async (_: number, events: CleanEvent[]) => {
        isDone = true
        return events.map(unknownLead)
      },
    },
    spool: { has: () => false, mayBeElsewhere: () => false },
    measures: { event: () => undefined },
    digestKey: new Uint8Array(),
  } as unknown as Intake
  const events = Array.from({ length: 60 }, () => ({
    tracking_id: randomUUIDv7(),
    step_id: 1,
    event_data: { a: '123 4111 1111 1111 1111 '.repeat(600) },
  }))
  await storeBatch(intake, { issuerId: 1, from: null, came: null }, events).catch(() => undefined)
  expect([isDone, others >= 3]).toEqual([true, true])
})
