import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { DeliveryDetail, DeliveryPage } from '#contract/deliveries.ts'
import type { Receiver } from '#contract/receivers.ts'
import type { TestClient, TestServer } from '../testing.ts'

export interface Received {
  url: string
  method: string
  headers: IncomingHttpHeaders
  body: string
}

type Behave = (request: Received, response: ServerResponse) => void

/** A receiver of somebody outside, that answers as the test wants at the moment. */
export async function startReceiver(behave: Behave = (_, response) => void response.end('ok')) {
  const got: Received[] = []
  const receiver = { got, behave, url: '', close: async () => {} }
  const server = createServer(async (request: IncomingMessage, response) => {
    const { url = '', method = '', headers } = request
    const received = { url, method, headers, body: await text(request) }
    got.push(received)
    receiver.behave(received, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  receiver.close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return receiver
}

export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>

export const answering =
  (status: number, headers: Record<string, string> = {}): Behave =>
  (_, response) =>
    void response.writeHead(status, headers).end(`estado ${status}`)

export async function ok<T>(asked: ReturnType<TestClient['get']>): Promise<T> {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.status === 204 ? (undefined as T) : answer.json().data
}

export const RECEIVERS = '/api/v1/receivers/'

export const makeReceiver = (client: TestClient, url: string, form: object = {}): Promise<Receiver> =>
  ok(client.post(RECEIVERS, { name: 'Mi sistema', url, method: 'POST', types: ['lead.event'], ...form }))

export const deliveriesOf = async (client: TestClient, { id }: Receiver): Promise<DeliveryPage['results']> =>
  (await ok<DeliveryPage>(client.get(`${RECEIVERS}${id}/deliveries/`))).results

export const detailOf = (client: TestClient, id: string): Promise<DeliveryDetail> =>
  ok(client.get(`/api/v1/deliveries/${id}/`))

export const receiverOf = (client: TestClient, { id }: Receiver): Promise<Receiver> =>
  ok(client.get(`${RECEIVERS}${id}/`))

/** As if so much time had passed for one receiver. */
export async function letPass({ db }: TestServer, { id }: Receiver, hours: number): Promise<void> {
  const time = sql`make_interval(secs => ${hours * 3600})`
  await sql`update receiver set failing_since = failing_since - ${time}, rest_until = rest_until - ${time},
    before_until = before_until - ${time} where id = ${id}`.execute(db)
  await sql`update delivery set next_at = next_at - ${time}, claimed_until = claimed_until - ${time}
    where receiver_id = ${id} and state = 'waiting'`.execute(db)
}

/** Nothing is on its way to a receiver, and nothing begins before time passes. */
export async function isAtRest({ db }: TestServer, { id }: Receiver): Promise<boolean> {
  const { rows } = await sql<{ rests: boolean }>`
    select rest_until > now() and not exists (select from delivery where receiver_id = receiver.id
      and claimed_until is not null) as rests from receiver where id = ${id}`.execute(db)
  return rows[0]?.rests ?? false
}

/** Patient: deliveries are looked for twice a second. */
export const until = (what: () => unknown) => expect.poll(what, { timeout: 20_000, interval: 100 })
