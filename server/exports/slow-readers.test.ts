import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makeImport, makePayment } from '#db/factories.ts'
import { makeBearer, makeCommission, makePair, startServer, type TestServer } from '../testing.ts'

const PATH = '/api/v1/exports/leads/'
const UNHURRIED = { pauseMs: 120_000, wholeMs: 120_000 }

let server: TestServer
let owner: Db
const readers: Socket[] = []
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.destroy()
  await owner.destroy()
  await server.stop()
})

/** A server with more leads of one issuer than what the sockets in between would swallow. */
async function start(exportPatience: typeof UNHURRIED, leads = 11_000) {
  server = await startServer({}, { exportPatience })
  owner = connect(server.databaseUrl, { max: 1 })
  const { ids, issuer } = await makePair(server.db)
  const utm = sql`repeat('x', 250)`
  await server.db
    .insertInto('lead')
    .columns([
      ...(['tracking_id', 'relationship_id', 'affiliate_id', 'issuer_id', 'product_id', 'external_id'] as const),
      ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term'] as const),
    ])
    .expression(
      sql`select (left(first_id_of(timestamptz '2026-03-01Z' + i * interval '1 second')::text, 14)
        || substr(gen_random_uuid()::text, 15))::uuid, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint,
        ${ids.issuer_id}::bigint, ${ids.product_id}::bigint, 'cliente ' || i, ${utm}, ${utm}, ${utm}, ${utm}
        from generate_series(1, ${leads}::int) i`,
    )
    .execute()
  return { ids, issuer }
}

/** Asks for the file over a socket of its own, and reads the beginning of the answer alone. */
async function askAndStare(bearer: string): Promise<string> {
  const socket = connectSocket(Number(new URL(server.origin).port), '127.0.0.1')
  readers.push(socket)
  socket.on('error', () => undefined) // it is broken off
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: afluente\r\nauthorization: Bearer ${bearer}\r\n\r\n`)
  const [beginning] = (await once(socket, 'data')) as [Buffer]
  const line = beginning.toString().split('\r\n', 1)[0] ?? ''
  // A machine under load may take longer to connect to its database than an export waits.
  if (line.includes(' 503 ')) {
    socket.destroy()
    return askAndStare(bearer)
  }
  socket.pause()
  return line
}

const busy = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where application_name = 'afluente exports' and datname = current_database() and xact_start is not null`.execute(
    owner,
  )
  return rows[0]?.count
}

test.each([
  ['that stop reading', { ...UNHURRIED, pauseMs: 1_000 }],
  ['that take too long', { ...UNHURRIED, wholeMs: 4_000 }],
])('exports of readers %s end and leave their connections to others', async (_, patience) => {
  await start(patience)
  const bearers = await Promise.all(Array.from({ length: 4 }, () => makeBearer(server.db, { role: 'admin' })))
  expect(await Promise.all(bearers.map(askAndStare))).toEqual(Array(4).fill('HTTP/1.1 200 OK'))
  await expect.poll(busy, { timeout: 30_000 }).toBe(0)
  const small = `${PATH}?external_id=cliente%2011000`
  expect((await (await server.as({ role: 'admin' })).get(small)).status).toBe(200)
  // What they were sent is no whole file: the connection is broken off.
  for (const reader of readers) {
    reader.resume()
    if (!reader.closed) await once(reader, 'close')
  }
})

test('a company has one turn, whichever of its people asks; an administrator has one of their own', async () => {
  const { ids, issuer } = await start(UNHURRIED)
  const people = [
    ...([1, 2] as const).map(() => ({ role: 'issuer', issuerId: issuer.id }) as const),
    ...([1, 2] as const).map(() => ({ role: 'affiliate', affiliateId: ids.affiliate_id }) as const),
    { role: 'admin' } as const,
  ]
  const answers: string[] = []
  for (const person of people) answers.push(await askAndStare(await makeBearer(server.db, person)))
  const [begun, refused] = ['HTTP/1.1 200 OK', 'HTTP/1.1 409 Conflict']
  expect(answers).toEqual([begun, refused, begun, refused, begun])
  const colleague = await server.as({ role: 'issuer', issuerId: issuer.id })
  const answer = await colleague.get(PATH)
  expect([answer.status, answer.json().message]).toEqual([
    409,
    'Tu empresa ya tiene una exportación en curso. Espera a que termine.',
  ])
  const other = await makePair(server.db)
  expect((await (await server.as({ role: 'issuer', issuerId: other.issuer.id })).get(PATH)).status).toBe(200)
})

test('files without leads neither wait for their partitions nor hold them up', async () => {
  const { ids, issuer } = await start(UNHURRIED, 1)
  await makeCommission(server.db, ids)
  await makePayment(server.db, ids)
  const { id } = await makeImport(server.db, issuer.id)
  const admin = await server.as({ role: 'admin' })
  const catalog = ['products', 'event-steps', 'commissions', 'relationships']
  const files = ['affiliates', 'issuers', 'users', ...catalog, 'payments', `imports/${id}/rows`]
  const answers: [string, number][] = []
  await owner.transaction().execute(async (tx) => {
    await sql`lock table only lead in access exclusive mode`.execute(tx)
    for (const file of files) answers.push([file, (await admin.get(`/api/v1/exports/${file}/`)).status])
  })
  expect(answers).toEqual(files.map((file) => [file, 200]))
})
