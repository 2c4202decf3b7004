import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from '#db/connect.ts'
import { makeEntry, makeLead, makeUser } from '#db/factories.ts'
import { until } from '../deliveries/deliveries.testing.ts'
import { type Receiver, startReceiver } from '../mail/testing.ts'
import { makeAffiliate, makePair, startServer, TEST_SECRET, type TestServer, unique } from '../testing.ts'
import { writeDigests, writeLetters } from './letters.ts'
import { UnsubscribeTokens } from './unsubscribe.ts'

let receiver: Receiver
let server: TestServer
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startServer({
    SMTP_URL: receiver.url,
    MAIL_FROM: 'Afluente <avisos@red.example.mx>',
    PUBLIC_URL: 'https://red.example.mx',
  })
})
afterEach(() => receiver.refuse(undefined))
afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

async function makePerson() {
  const pair = await makePair(server.db)
  const user = await makeUser(server.db, { role: 'affiliate', affiliateId: pair.affiliate.id })
  return { ...pair, user }
}
type Person = Awaited<ReturnType<typeof makePerson>>

/** As the fan-out makes it. */
const tell = ({ user, affiliate, product, ids }: Person, type: string, columns: object = {}, db: Db = server.db) =>
  db
    .insertInto('notice')
    .values({
      ...{ user_id: user.id, role: 'affiliate', company_id: affiliate.id, occurrence_id: -unique(), type },
      ...{ issuer_id: ids.issuer_id, product_id: product.id, params: '{}', in_product: true, mail: 'now' },
      ...columns,
    })
    .execute()
const earned = (person: Person, created_at: string, mail = 'daily') =>
  tell(person, 'commission.accrued', { mail, created_at, params: JSON.stringify({ amount: '500.00' }) })

const lettersTo = ({ user }: Pick<Person, 'user'>) => receiver.received.filter(({ to }) => to.includes(user.email))
const mailOf = ({ user }: Pick<Person, 'user'>) =>
  server.db.selectFrom('mail').selectAll().where('user_id', '=', user.id).orderBy('id').execute()
/** As if the wait for what else happens were over. */
const hurry = ({ user }: Person) =>
  server.db.updateTable('mail').set({ next_at: sql<string>`now()` }).where('user_id', '=', user.id).execute()

test('what is told at once comes in one letter, once, with a way to stop it', async () => {
  const person = await makePerson()
  await tell(person, 'product.paused')
  await tell(person, 'product.resumed')
  await Promise.all([writeLetters(server.appDb), writeLetters(server.appDb)])
  expect(await mailOf(person)).toHaveLength(1)
  await hurry(person)
  await until(() => lettersTo(person).length).toBe(1)
  const [letter] = lettersTo(person)
  for (const text of [
    'Subject: 2 avisos de Afluente',
    `- ${person.product.name} está en pausa: sus enlaces no reciben clics`,
    `- ${person.product.name} está activo otra vez: sus enlaces ya reciben clics`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'https://red.example.mx/app/affiliate/settings',
  ])
    expect(letter?.text).toContain(text)
  await until(async () => (await mailOf(person))[0]?.state).toBe('sent')
  await writeLetters(server.appDb)
  expect(await mailOf(person)).toHaveLength(1)
})

test('a link that somebody waits for goes before notices that were due earlier', async () => {
  const people = [await makePerson(), await makePerson(), await makePerson()]
  const asking = await makePerson()
  for (const person of people) await tell(person, 'product.paused')
  await writeLetters(server.appDb)
  const before = receiver.received.length
  await server.db.transaction().execute(async (tx) => {
    const ids = people.map(({ user }) => user.id)
    const earlier = sql<string>`now() - interval '20 minutes'`
    await tx.updateTable('mail').set({ next_at: earlier }).where('user_id', 'in', ids).execute()
    await tx
      .insertInto('mail')
      .values({ kind: 'reset', recipient: asking.user.email, user_id: asking.user.id })
      .execute()
  })
  await until(() => people.filter((person) => lettersTo(person).length).length).toBe(3)
  expect(receiver.received[before]?.to).toEqual([asking.user.email])
})

test('a name stays in its sentence, whatever lines it has', async () => {
  const person = await makePerson()
  const name = 'Tarjeta\r\n\r\nTu cuenta se cerró:\nhttps://malo.example'
  await server.db.updateTable('product').set({ name }).where('id', '=', person.product.id).execute()
  await tell(person, 'product.paused')
  await tell(person, 'product.resumed')
  await writeLetters(server.appDb)
  await hurry(person)
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain('- Tarjeta Tu cuenta se cerró: https://malo.example está en pausa')
})

test('a digest has what came before eight in the morning in Mexico City, one a person and day, also at the end of a month', async () => {
  const person = await makePerson()
  const idle = await makePerson()
  // 27 February, 08:30 and 23:59; 28 February, 07:59 and 08:00.
  for (const at of ['2026-02-27T14:30:00Z', '2026-02-28T05:59:00Z', '2026-02-28T13:59:59Z', '2026-02-28T14:00:00Z'])
    await earned(person, at)
  const mailed = async () =>
    (
      await server.db
        .selectFrom('notice')
        .select('mail_id')
        .where('user_id', '=', person.user.id)
        .orderBy('id')
        .execute()
    ).map(({ mail_id }) => mail_id !== null)
  await writeDigests(server.appDb, '2026-02-28T13:59:59Z')
  // Of the day before nothing was due yet.
  expect(await mailOf(person)).toEqual([])
  for (let each = 0; each < 3; each++) await writeDigests(server.appDb, '2026-02-28T14:00:00Z')
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain(`- 3 comisiones por $1,500.00 de ${person.product.name}`)
  expect(await mailed()).toEqual([true, true, true, false])
  await until(async () => (await mailOf(person))[0]?.state).toBe('sent')
  await writeDigests(server.appDb, '2026-03-01T14:00:00Z')
  await until(() => lettersTo(person).length).toBe(2)
  expect(lettersTo(person)[1]?.text).toContain(`- 1 comisión por $500.00 de ${person.product.name}`)
  await writeDigests(server.appDb, '2026-03-02T14:00:00Z')
  expect((await mailOf(person)).map(({ digest_day }) => digest_day)).toEqual(['2026-02-28', '2026-03-01'])
  expect(await mailOf(idle)).toEqual([])
})

test('what is told weekly comes on Monday, with the daily in one letter', async () => {
  const person = await makePerson()
  await earned(person, '2026-03-04T18:00:00Z', 'weekly')
  await earned(person, '2026-03-08T18:00:00Z', 'daily')
  await writeDigests(server.appDb, '2026-03-05T14:00:00Z')
  await writeDigests(server.appDb, '2026-03-08T15:00:00Z')
  expect(await mailOf(person)).toEqual([])
  await writeDigests(server.appDb, '2026-03-09T14:00:00Z')
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain('2 comisiones por $1,000.00')
})

test('the digest of a Monday begins with the week, of the own company alone', async () => {
  const person = await makePerson()
  const other = await makePair(server.db)
  // Before Monday began in Mexico City, on Sunday before it ended, and on the Monday that follows.
  for (const created_at of [
    '2026-03-02T05:59:59Z',
    '2026-03-02T06:00:00Z',
    '2026-03-09T05:59:59Z',
    '2026-03-09T06:00:00Z',
  ])
    for (const { ids } of [person, other]) await makeLead(server.db, { ...ids, created_at })
  await makeEntry(server.db, person.ids, { earned_at: '2026-03-05T18:00:00Z' })
  await makeEntry(server.db, person.ids, { earned_at: '2026-03-01T18:00:00Z' })
  await earned(person, '2026-03-08T18:00:00Z')
  await earned(person, '2026-03-09T18:00:00Z')
  await writeDigests(server.appDb, '2026-03-09T14:00:00Z')
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain(
    '- Tu semana, del 02/03/2026 al 08/03/2026: 3 leads, 1 conversión y $500.00 en comisiones. Por pagar: $1,000.00',
  )
  await until(async () => (await mailOf(person))[0]?.state).toBe('sent')
  await writeDigests(server.appDb, '2026-03-10T14:00:00Z')
  await until(() => lettersTo(person).length).toBe(2)
  expect(lettersTo(person)[1]?.text).not.toContain('Tu semana')
})

test('what happened long before mail was set up is not mailed', async () => {
  const person = await makePerson()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await tell(person, 'product.paused', { created_at: ago(2) })
  await earned(person, ago(5))
  await earned(person, ago(20), 'weekly')
  await writeLetters(server.appDb)
  await writeDigests(server.appDb)
  expect(await mailOf(person)).toEqual([])
})

test('a server that died between taking a letter and sending it sends it later, with the same and nothing twice', async () => {
  const person = await makePerson()
  await tell(person, 'product.paused')
  await writeLetters(server.appDb)
  const [mail] = await mailOf(person)
  // As it leaves things when it is killed there: what it took is of the letter, and the letter is leased.
  await server.db
    .updateTable('notice')
    .set({ mail_id: mail?.id ?? 0 })
    .where('user_id', '=', person.user.id)
    .execute()
  const lease = new Date(Date.now() + 300_000).toISOString()
  await server.db
    .updateTable('mail')
    .set({ attempts: 1, next_at: lease })
    .where('id', '=', mail?.id ?? 0)
    .execute()
  await writeLetters(server.appDb)
  expect(await mailOf(person)).toHaveLength(1)
  await hurry(person)
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain(`${person.product.name} está en pausa`)
  await until(async () => (await mailOf(person))[0]?.state).toBe('sent')
  await writeLetters(server.appDb)
  expect(await mailOf(person)).toHaveLength(1)
})

test('a letter that cannot be written holds up no other, and is tried again as one that was refused', async () => {
  const [broken, person] = [await makePerson(), await makePerson()]
  await tell(broken, 'nobody.knows')
  await tell(person, 'product.paused')
  await writeLetters(server.appDb)
  for (const each of [broken, person]) await hurry(each)
  await until(() => lettersTo(person).length).toBe(1)
  const error = expect.stringContaining('no pudo escribir este correo')
  expect(await mailOf(broken)).toMatchObject([{ state: 'waiting', attempts: 1, error }])
  expect(Date.parse((await mailOf(broken))[0]?.next_at ?? '') - Date.now()).toBeGreaterThan(30_000)
})

test('no letter follows who was suspended or went to another company', async () => {
  const [gone, moved] = [await makePerson(), await makePerson()]
  const elsewhere = await makeAffiliate(server.db)
  // At once: the server's own job would write a letter in between.
  await server.db.transaction().execute(async (tx) => {
    for (const person of [gone, moved]) await tell(person, 'product.paused', {}, tx)
    await tx.updateTable('user').set({ user_status: 'suspended' }).where('id', '=', gone.user.id).execute()
    await tx.updateTable('user').set({ affiliate_id: elsewhere.id }).where('id', '=', moved.user.id).execute()
  })
  await writeLetters(server.appDb)
  for (const person of [gone, moved]) expect(await mailOf(person)).toEqual([])
})

const tokens = new UnsubscribeTokens(TEST_SECRET)
const path = (token: string) => `/correo/baja?t=${token}`
const oneClick = (token: string) =>
  server.anonymous.request('POST', path(token), {
    rawBody: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const choicesOf = async ({ user }: Person) =>
  (
    await sql<{ type: string; mail: string; in_product: boolean; is_fixed: boolean }>`
    select * from notice_choices(${user.id})`.execute(server.db)
  ).rows

test('one click stops all mail but that of security; opening the link alone does not', async () => {
  const person = await makePerson()
  const token = tokens.sign(person.user.id)
  const before = await choicesOf(person)
  const opened = await server.anonymous.get(path(token))
  expect(opened.status).toBe(200)
  expect(opened.text).toContain('Dejar de recibir correos')
  expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await choicesOf(person)).toEqual(before)
  for (let each = 0; each < 2; each++) expect((await oneClick(token)).status).toBe(200)
  const after = await choicesOf(person)
  expect(after.every(({ in_product }) => in_product)).toBe(true)
  expect(
    after
      .filter(({ mail }) => mail !== 'off')
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(after.flatMap(({ type, is_fixed }) => (is_fixed ? [type] : [])).toSorted())
  expect(after.filter(({ is_fixed }) => is_fixed)).toHaveLength(6)
})

const rotated = (person: Person) =>
  tell(person, 'key.rotated', { product_id: null, params: JSON.stringify({ detail: 'api' }) })

test('what was noted before mail was stopped is not mailed, nor a letter that waits; security is', async () => {
  const person = await makePerson()
  await earned(person, '2026-04-01T18:00:00Z')
  await earned(person, '2026-04-02T18:00:00Z', 'weekly')
  await tell(person, 'product.paused')
  await writeLetters(server.appDb)
  expect(await mailOf(person)).toHaveLength(1)
  await oneClick(tokens.sign(person.user.id))
  await hurry(person)
  await until(() => mailOf(person)).toEqual([])
  await writeLetters(server.appDb)
  for (const moment of ['2026-04-02T14:00:00Z', '2026-04-06T14:00:00Z']) await writeDigests(server.appDb, moment)
  expect(await mailOf(person)).toEqual([])
  await rotated(person)
  await writeLetters(server.appDb)
  await hurry(person)
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain('- Se cambió una clave de la empresa')
  expect(lettersTo(person)[0]?.text).not.toContain(person.product.name)
})

test('a letter that is tried again leaves out what was switched off since', async () => {
  const person = await makePerson()
  receiver.refuse({ code: 451, message: 'Greylisted' })
  await tell(person, 'product.paused')
  await rotated(person)
  await writeLetters(server.appDb)
  await hurry(person)
  await until(async () => (await mailOf(person))[0]?.error).toContain('Greylisted')
  await oneClick(tokens.sign(person.user.id))
  receiver.refuse(undefined)
  await hurry(person)
  await until(() => lettersTo(person).length).toBe(1)
  expect(lettersTo(person)[0]?.text).toContain('- Se cambió una clave de la empresa')
  expect(lettersTo(person)[0]?.text).not.toContain(person.product.name)
})

test('a forged or expired link stops nothing', async () => {
  const [person, other] = [await makePerson(), await makePerson()]
  const token = tokens.sign(person.user.id)
  const [userId, end, mark] = token.split('.')
  const forged = [
    `${other.user.id}.${end}.${mark}`,
    `${userId}.${Number(end) + 1}.${mark}`,
    `${userId}.${end}.${'A'.repeat(43)}`,
    new UnsubscribeTokens('otro secreto, de otra instalación').sign(person.user.id),
    'x',
    '',
  ]
  for (const each of forged) {
    expect((await oneClick(each)).status).toBe(404)
    expect((await server.anonymous.get(path(each))).status).toBe(404)
  }
  const old = tokens.sign(person.user.id, Date.now() - 61 * 86_400_000)
  expect((await oneClick(old)).status).toBe(410)
  const stopped = await server.db
    .selectFrom('notice_choice')
    .selectAll()
    .where('user_id', 'in', [person.user.id, other.user.id])
    .execute()
  expect(stopped).toEqual([])
})

test('what a person chose is what is made: in the product, by mail, both or nothing; security stays', async () => {
  const { product, affiliate, user } = await makePerson()
  const client = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const admin = await server.as({ role: 'admin' })
  const CHOICES = '/api/v1/notices/choices/'
  const put = (body: object) => client.put(CHOICES, body)
  const { choices, mails } = (await client.get(CHOICES)).json().data
  expect(mails).toBe(true)
  expect(choices).toContainEqual({ type: 'product.paused', in_product: true, mail: 'now', is_fixed: false })
  const madeFor = async () =>
    (
      await server.db
        .selectFrom('notice')
        .select(['in_product', 'mail', 'type'])
        .where('company_id', '=', affiliate.id)
        .where('user_id', '<>', user.id)
        .where('type', '=', 'product.paused')
        .orderBy('id')
        .execute()
    ).map(({ in_product, mail }) => `${in_product} ${mail}`)
  const colleagues = server.db.selectFrom('notice').select('id').where('user_id', '=', user.id)
  const expected: string[] = []
  let turns = 0
  for (const in_product of [true, false])
    for (const mail of ['off', 'now', 'daily', 'weekly']) {
      expect((await put({ type: 'product.paused', in_product, mail })).status).toBe(200)
      for (const product_status of ['inactive', 'active'])
        await admin.put(`/api/v1/products/${product.id}/`, { product_status })
      if (in_product || mail !== 'off') expected.push(`${in_product} ${mail}`)
      // A colleague who chose nothing is told of both in the same turn.
      turns += 1
      await until(async () => (await colleagues.execute()).length).toBe(turns * 2)
    }
  expect(await madeFor()).toEqual(expected)
  expect((await put({ type: 'key.rotated', in_product: false, mail: 'off' })).status).toBe(422)
  expect((await put({ type: 'relationship.ended', in_product: true, mail: 'cada hora' })).status).toBe(422)
  // Nobody tells the network of links.
  expect((await admin.put(CHOICES, { type: 'product.paused', in_product: true, mail: 'off' })).status).toBe(422)
})
