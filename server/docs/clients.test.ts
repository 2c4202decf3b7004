import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { ReceiverSecret } from '#contract/receivers.ts'
import { ApiKeys } from '../companies/api-keys.ts'
import { makeReceiver, ok, RECEIVERS, startReceiver, until } from '../deliveries/deliveries.testing.ts'
import { EVENTS, eventsOf, type Funnel, makeFunnel } from '../events/testing.ts'
import { makeLead, startServer, TEST_SECRET, type TestServer } from '../testing.ts'
import { type Account, type Event, Refusal, sendEvent, sign, verify } from './clients/afluente.ts'

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
async function startRelay(
  failures: ('hang up' | 'after' | number)[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<{ url: string; asked: () => number }> {
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
      ...(body.length && { body }),
    })
    await meanwhile()
    // Stored, but the sender never hears of it.
    if (failure === 'after') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void relay.close())
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}${EVENTS}`, asked: () => asked }
}

type Outcome = { data: Record<string, unknown> } | { refusal: Pick<Refusal, 'status' | 'code' | 'retryable'> }

/** What a file does, run as its reader would run it. */
interface Client {
  send: (account: Account, event: Event) => Promise<Outcome>
  verify: (secret: string, headers: Record<string, unknown>, body: string, now?: number) => Promise<boolean>
}

const typeScript: Client = {
  send: (account, event) =>
    sendEvent(account, event).then(
      (data) => ({ data }),
      (error) => {
        if (!(error instanceof Refusal)) throw error
        const { status, code, retryable } = error
        return { refusal: { status, code, retryable } }
      },
    ),
  verify: async (secret, headers, body, now) => verify(secret, headers as Record<string, string>, body, now),
}

const PHP = `
require $argv[1];
[$do, $given] = json_decode(stream_get_contents(STDIN), true);
try {
    echo json_encode($do === 'verify' ? Afluente\\verify(...$given)
        : ['data' => Afluente\\sendEvent(new Afluente\\Account(...$given[0]), $given[1])]);
} catch (Afluente\\Refusal $refusal) {
    ['status' => $status, 'errorCode' => $code, 'retryable' => $retryable] = get_object_vars($refusal);
    echo json_encode(['refusal' => compact('status', 'code', 'retryable')]);
} catch (InvalidArgumentException $error) {
    echo json_encode(['error' => $error->getMessage()]);
}`

const phpProgram = inject('php')

async function runPhp(...asked: unknown[]) {
  const strict = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr']
  const php = spawn(phpProgram ?? 'php', [...strict, '-r', PHP, join(import.meta.dirname, 'clients/afluente.php')])
  const written = [text(php.stdout), text(php.stderr)]
  php.stdin.end(JSON.stringify(asked))
  await once(php, 'close')
  const [out = '', errors] = await Promise.all(written)
  expect(errors).toBe('')
  const answer = JSON.parse(out)
  if (answer.error) throw new Error(answer.error)
  return answer
}

const php: Client = {
  send: (account, event) => runPhp('send', [account, event]),
  verify: (secret, headers, body, now) =>
    runPhp('verify', [secret, headers, body, ...(now === undefined ? [] : [Math.floor(now / 1000)])]),
}

describe.each([
  ['TypeScript', typeScript] as const,
  ...(phpProgram ? [['PHP', php] as const] : []), // npm test says that there is none
])('%s', (_, client) => {
  test('a signed event is stored, and once however often it is sent', async () => {
    const { funnel, account } = await makeAccount()
    const event = {
      tracking_id: funnel.lead.tracking_id,
      event_type: 'aprobado',
      event_id: 'alta-ñ-1',
      event_data: { plan: 'Básico / 1' },
    }
    expect(await client.send(account, event)).toMatchObject({ data: { duplicate: false } })
    expect(await client.send(account, event)).toMatchObject({ data: { duplicate: true } })
    expect(await eventsOf(server, funnel.lead.id)).toHaveLength(1)
  })

  test('what fails on the way is tried again, and stored once', async () => {
    const { funnel, account } = await makeAccount()
    const relay = await startRelay(['hang up', 502, 'after'])
    const event = { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-2' }
    expect(await client.send({ ...account, url: relay.url }, event)).toMatchObject({ data: { duplicate: true } })
    expect(relay.asked()).toBe(4)
    expect(await eventsOf(server, funnel.lead.id)).toHaveLength(1)
  })

  test('what repeating cannot mend is said at once; the rest after its attempts', async () => {
    const { funnel, account } = await makeAccount()
    const event = { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-3' }
    const relay = await startRelay([])
    const refusedKey = await client.send({ ...account, url: relay.url, apiKey: 'iss_x' }, event)
    expect(refusedKey).toMatchObject({ refusal: { status: 401, code: 'INVALID_API_KEY' } })
    const { secret: _, ...unsigned } = account
    const refused = await client.send(unsigned, event)
    expect(refused).toEqual({ refusal: { status: 401, code: 'SIGNATURE_REQUIRED', retryable: false } })
    expect(relay.asked()).toBe(1)
    const down = await startRelay([503, 503])
    const gaveUp = await client.send({ ...account, url: down.url, attempts: 2 }, event)
    expect(gaveUp).toMatchObject({ refusal: { code: 'NO_ANSWER', retryable: true } })
    expect(down.asked()).toBe(2)
  })

  test('a webhook is known by its signature, and nothing that was changed', async () => {
    const outside = await startReceiver()
    onTestFinished(() => outside.close())
    const { funnel, account } = await makeAccount()
    const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
    const made = await makeReceiver(issuer, outside.url)
    const path = `${RECEIVERS}${made.id}/secret/`
    const { secret: before } = await ok<ReceiverSecret>(issuer.get(path))
    const { secret } = await ok<ReceiverSecret>(issuer.post(path))
    await client.send(account, { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado', event_id: 'alta-4' })
    await until(() => outside.got.length).toBe(1)
    const [{ headers, body } = {} as never] = outside.got
    for (const either of [secret, before]) expect(await client.verify(either, headers, body)).toBe(true)
    expect(await client.verify(secret, headers, `${body} `)).toBe(false)
    expect(await client.verify(secret, { ...headers, 'webhook-id': 'otro' }, body)).toBe(false)
    expect(await client.verify(`whsec_${'A'.repeat(43)}=`, headers, body)).toBe(false)
    expect(await client.verify(secret, headers, body, Date.now() + 310_000)).toBe(false)
    expect(await client.verify(secret, {}, body)).toBe(false)
  })

  test.each(['', 'whsec_', 'whsec_Y29ydG8='])(
    'with the secret %j nothing is sent, nor taken for ours',
    async (secret) => {
      const [id, timestamp, body] = ['un-aviso', String(Math.floor(Date.now() / 1000)), '{"type":"lead.event"}']
      const guessed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      const signature = `v1,${guessed.update(`${id}.${timestamp}.${body}`).digest('base64')}`
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
      await expect(client.verify(secret, headers, body)).rejects.toThrow('Falta el secreto whsec_…')
      const account = { url: server.origin + EVENTS, apiKey: 'iss_x', secret }
      const event = { tracking_id: 'x', event_type: 'aprobado', event_id: 'alta-5' }
      await expect(client.send(account, event)).rejects.toThrow('Falta el secreto whsec_…')
    },
  )
})

test('TypeScript: an account that names a secret and has none sends nothing', async () => {
  const account = { url: server.origin + EVENTS, apiKey: 'iss_x', secret: undefined } as unknown as Account
  const event = { tracking_id: 'x', event_type: 'aprobado', event_id: 'alta-6' }
  await expect(sendEvent(account, event)).rejects.toThrow('Falta el secreto whsec_…')
})

test.runIf(phpProgram)('PHP: the headers of a webhook are known however the web server writes them', async () => {
  const [secret, id, body] = [`whsec_${'B'.repeat(43)}=`, 'un-aviso', '{"type":"lead.event"}']
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(secret, id, timestamp, body)
  const written = { 'Webhook-Id': id, 'WEBHOOK-TIMESTAMP': timestamp, 'Webhook-Signature': `v1,otra ${signature}` }
  expect(await php.verify(secret, written, body)).toBe(true)
})

const CLIENTS = join(import.meta.dirname, 'clients')
const EXAMPLE = join(CLIENTS, 'leads.ts')

/** Programs of somebody else, each in its file, beside our own. */
function writePrograms(programs: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['afluente.ts', 'afluente-api.ts']) copyFileSync(join(CLIENTS, name), join(folder, name))
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
  return folder
}

const GUIDE = readFileSync(join(import.meta.dirname, 'desde-tu-codigo.md'), 'utf8')

/** Tells an answer and an error apart by their success. */
const APART = `import type { components, paths } from './afluente-api.ts'
type Leads = paths['/api/v1/leads/']['get']['responses'][200]['content']['application/json']
type Refused = components['schemas']['Error']
export const read = (answer: Leads | Refused): string | number =>
  answer.success === false ? answer.meta.code : answer.data.results.length`

test('the types: the example, what the guide shows and what tells an error apart compile, and what errs in a field does not', () => {
  const example = readFileSync(EXAMPLE, 'utf8')
  const shown = [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].map(([, text = ''], index) => [`guide-${index}.ts`, text])
  expect(shown).toHaveLength(3)
  const right = { 'leads.ts': example, 'apart.ts': APART, ...Object.fromEntries(shown) }
  const folder = writePrograms({ ...right, 'wrong.ts': example.replaceAll('tracking_id', 'trackingId') })
  const root = join(import.meta.dirname, '../..')
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  // As a server's project has them: without those of a browser.
  const lib = ['--lib', 'es2023', '--allowImportingTsExtensions']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  const args = [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...options,
    ...lib,
    ...types,
    ...Object.keys(right),
    'wrong.ts',
  ]
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const told = stdout.split('\n').filter((line) => /^\S/.test(line))
  expect(told.filter((line) => !line.startsWith('wrong.ts('))).toEqual([])
  expect(told.join()).toContain("'trackingId'")
})

test('the example reads each lead of some days once, while others come', async () => {
  const { funnel } = await makeAccount()
  const start = Date.parse('2026-02-03T18:00:00Z')
  const made = await Promise.all(
    Array.from({ length: 201 }, (_, n) => makeLead(server.db, { ...funnel.ids, created_at: start + n * 1000 })),
  )
  const relay = await startRelay([], () => makeLead(server.db, funnel.ids))
  const folder = writePrograms({ 'leads.ts': readFileSync(EXAMPLE, 'utf8') })
  const args = ['leads.ts', new URL(relay.url).origin, funnel.key, '2026-02-03', '2026-02-03']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
  expect(relay.asked()).toBe(3)
  expect(stdout.trim().split('\n')).toEqual(made.map(({ tracking_id }) => `${tracking_id} click`))
})

const SCHEDULE = '5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, 12 h y 24 h'

test.each([
  ['the guide', GUIDE],
  ['afluente.ts', readFileSync(join(CLIENTS, 'afluente.ts'), 'utf8')],
  ['afluente.php', readFileSync(join(CLIENTS, 'afluente.php'), 'utf8')],
])('%s says that what may be stored later is kept and sent again', (_, text) => {
  const words = text.replaceAll(/[\s*]+/g, ' ')
  expect(words).toContain(SCHEDULE)
  expect(words).toMatch(/retryable`? (?:es|en) `?true/)
})

test.each([
  ['afluente.ts', 'export async function sendEvent'],
  ['afluente.php', 'function sendEvent'],
  ['afluente-api.ts', 'export interface paths'],
  ['leads.ts', 'afluente-api.ts'],
])('%s can be downloaded as it was tried', async (name, text) => {
  const file = await server.anonymous.get(`/api/docs/clientes/${name}`)
  expect([file.status, file.headers.get('content-disposition')]).toEqual([200, `attachment; filename="${name}"`])
  expect(file.text).toContain(text)
  expect((await server.anonymous.get('/api/docs/clientes/otro.ts')).status).toBe(404)
})
