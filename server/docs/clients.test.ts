import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ReceiverSecret } from '#contract/receivers.ts'
import { ApiKeys } from '../companies/api-keys.ts'
import { makeReceiver, ok, RECEIVERS, startReceiver, until } from '../deliveries/deliveries.testing.ts'
import { EVENTS, eventsOf, type Funnel, makeFunnel } from '../events/testing.ts'
import { startServer, TEST_SECRET, type TestServer } from '../testing.ts'
import { type Account, type Refusal, sendEvent, verify } from './clients/afluente.ts'

let server: TestServer
let keys: ApiKeys
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
  keys = new ApiKeys(server.db, TEST_SECRET)
})
afterAll(() => server.stop())

/** An issuer that takes signed events alone. */
async function makeAccount(): Promise<{ funnel: Funnel; account: Account }> {
  const funnel = await makeFunnel(server)
  const secret = await keys.create(server.db, { issuerId: funnel.issuer.id }, 'signing')
  await server.db
    .updateTable('issuer')
    .set({ signature_required: true, key_signs_until: new Date() })
    .where('id', '=', funnel.issuer.id)
    .execute()
  return { funnel, account: { url: server.origin + EVENTS, apiKey: funnel.key, secret, pauseMs: 10 } }
}

/** Stands before the server and fails as said, one behaviour a request; then it passes everything on. */
async function startRelay(failures: ('hang up' | 'after' | number)[]): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const relay = createServer(async (request, response) => {
    const body = await buffer(request)
    const failure = failures[asked]
    asked += 1
    if (failure === 'hang up') return void request.socket.destroy()
    if (typeof failure === 'number') return void response.writeHead(failure).end('<html>puerta de enlace</html>')
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(server.origin + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body,
    })
    // Stored, but the sender never hears of it.
    if (failure === 'after') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void relay.close())
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}${EVENTS}`, asked: () => asked }
}

test('TypeScript: a signed event is stored, and once however often it is sent', async () => {
  const { funnel, account } = await makeAccount()
  const event = { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-1' }
  expect(await sendEvent(account, event)).toMatchObject({ duplicate: false })
  expect(await sendEvent(account, event)).toMatchObject({ duplicate: true })
  expect(await eventsOf(server, funnel.lead.id)).toHaveLength(1)
})

test('TypeScript: what fails on the way is tried again, and stored once', async () => {
  const { funnel, account } = await makeAccount()
  const relay = await startRelay(['hang up', 502, 'after'])
  const event = { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-2' }
  expect(await sendEvent({ ...account, url: relay.url }, event)).toMatchObject({ duplicate: true })
  expect(relay.asked()).toBe(4)
  expect(await eventsOf(server, funnel.lead.id)).toHaveLength(1)
})

test('TypeScript: what repeating cannot mend is said at once; the rest after its attempts', async () => {
  const { funnel, account } = await makeAccount()
  const event = { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-3' }
  const relay = await startRelay([])
  const refusalOf = (changes: Partial<Account>) =>
    sendEvent({ ...account, url: relay.url, ...changes }, event).catch((error: Refusal) => error)
  expect(await refusalOf({ apiKey: 'iss_x' })).toMatchObject({ status: 401, code: 'INVALID_API_KEY' })
  const { secret: _, ...unsigned } = account
  const refused = await sendEvent(unsigned, event).catch((error: Refusal) => error)
  expect(refused).toMatchObject({ status: 401, code: 'SIGNATURE_REQUIRED', retryable: false })
  expect(relay.asked()).toBe(1)
  const down = await startRelay([503, 503])
  expect(await refusalOf({ url: down.url, attempts: 2 })).toMatchObject({ code: 'NO_ANSWER' })
  expect(down.asked()).toBe(2)
})

test('TypeScript: a webhook is known by its signature, and nothing that was changed', async () => {
  const outside = await startReceiver()
  onTestFinished(() => outside.close())
  const { funnel, account } = await makeAccount()
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const made = await makeReceiver(issuer, outside.url)
  const { secret } = await ok<ReceiverSecret>(issuer.get(`${RECEIVERS}${made.id}/secret/`))
  await sendEvent(account, { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-4' })
  await until(() => outside.got.length).toBe(1)
  const [{ headers, body } = {} as never] = outside.got
  expect(verify(secret, headers, body)).toBe(true)
  expect(verify(secret, headers, `${body} `)).toBe(false)
  expect(verify(secret, { ...headers, 'webhook-id': 'otro' }, body)).toBe(false)
  expect(verify(`whsec_${'A'.repeat(43)}=`, headers, body)).toBe(false)
  expect(verify(secret, headers, body, Date.now() + 301_000)).toBe(false)
  expect(verify(secret, {}, body)).toBe(false)
})

const TYPES = join(import.meta.dirname, 'clients/afluente-api.ts')
const EXAMPLE = join(import.meta.dirname, '../../docs/ejemplos/leads.ts')

/** A program of somebody else, beside the types. */
function writeProgram(text: string): { folder: string; check: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(TYPES, join(folder, 'afluente-api.ts'))
  writeFileSync(join(folder, 'leads.ts'), text)
  const root = join(import.meta.dirname, '../..')
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler']
  const types = ['--allowImportingTsExtensions', '--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...types, 'leads.ts']
  return { folder, check: () => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout }
}

test('the types: a program that reads with a key compiles and runs, and one that errs in a field does not', async () => {
  const { funnel } = await makeAccount()
  const { folder, check } = writeProgram(readFileSync(EXAMPLE, 'utf8'))
  expect(check()).toBe('')
  const args = ['leads.ts', server.origin, funnel.key]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
  expect(stdout.trim()).toBe(`${funnel.lead.tracking_id} click`)
  const wrong = readFileSync(EXAMPLE, 'utf8').replaceAll('tracking_id', 'trackingId')
  expect(writeProgram(wrong).check()).toContain("'trackingId'")
})

test.each([
  ['afluente.ts', 'export async function sendEvent'],
  ['afluente-api.ts', 'export interface paths'],
])('%s can be downloaded as it was tried', async (name, text) => {
  const file = await server.anonymous.get(`/api/docs/clientes/${name}`)
  expect([file.status, file.headers.get('content-disposition')]).toEqual([200, `attachment; filename="${name}"`])
  expect(file.text).toContain(text)
  expect((await server.anonymous.get('/api/docs/clientes/otro.ts')).status).toBe(404)
})
