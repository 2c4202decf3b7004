import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startServer } from '../testing.ts'
import { LoopLag, Rest } from './busy.ts'
import { deliveriesOf, makeReceiver, ok, startReceiver, until } from './deliveries.testing.ts'
import { Dialer } from './dial.ts'
import { ReceiverSecrets } from './secrets.ts'
import { Sender } from './sender.ts'

/** As requests that take too much do. */
async function keepBusy(): Promise<void> {
  for (let each = 0; each < 10; each += 1) {
    await wait(10)
    const end = performance.now() + 150
    while (performance.now() < end);
  }
  await wait(10)
}

test('a loop that is kept busy is late, and no longer some seconds after', async () => {
  const lag = new LoopLag()
  onTestFinished(() => lag.close())
  await keepBusy()
  expect(lag.read()).toBeGreaterThan(100)
  await until(() => lag.read()).toBeLessThan(100)
})

test('a busy loop is left alone, but for one round each five seconds', () => {
  const rest = new Rest()
  const due = (lateMs: number, ...at: number[]) => at.map((now) => rest.isDue(lateMs, now))
  expect(due(100, 0, 9_000)).toEqual([false, false])
  expect(due(101, 10_000, 14_999, 15_000, 15_001, 19_999, 20_000)).toEqual([true, true, false, true, true, false])
  expect(due(3, 20_500)).toEqual([false])
  expect(due(300, 20_600, 25_599, 25_600)).toEqual([true, true, false])
})

test('nothing is sent while the loop is busy, and all of it afterwards', async () => {
  const server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
  const receiver = await startReceiver()
  const secrets = new ReceiverSecrets('1f0c7e5b9a3d48629be4c0d7f63a58217c94e6ab0d352f81')
  const dialer = new Dialer({ ownHost: '', loopback: true })
  const sender = new Sender({ db: server.appDb, dialer, secrets, report: () => undefined })
  onTestFinished(async () => {
    await sender.close()
    await receiver.close()
    await server.stop()
  })
  const funnel = await makeFunnel(server)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const made = await makeReceiver(issuer, receiver.url)
  // The server itself sends nothing either before it is time, and its loop is the same.
  const restUntil = (moment: string) => sql`update receiver set rest_until = ${moment} where id = ${made.id}`
  await restUntil('infinity').execute(server.db)
  await ok(funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado' }))
  await until(async () => (await deliveriesOf(issuer, made)).length).toBe(1)
  await keepBusy()
  await restUntil('-infinity').execute(server.db)
  await sender.run((error) => expect.unreachable(String(error)))
  expect(await deliveriesOf(issuer, made)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  expect(receiver.got).toEqual([])
  await until(async () => {
    await sender.run((error) => expect.unreachable(String(error)))
    return receiver.got.length
  }).toBe(1)
})
