import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_RUNNING } from '#contract/exports.ts'
import { sumAmounts } from '#contract/money.ts'
import { dateInMexico } from '#contract/time.ts'
import { connect, type Db } from '#db/connect.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import {
  makeBearer,
  makeCommission,
  makeLead,
  makePair,
  makeStep,
  makeUser,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { unzip } from './testing.ts'

const PATH = '/api/v1/exports'
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

/** Without quoted line breaks, which these tests do not make. */
const linesOf = (csv: string): string[][] =>
  csv
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

const lastExport = () =>
  server.db
    .selectFrom('audit_entry')
    .select(['entity', 'label', 'changes'])
    .where('action', '=', 'export')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

describe('a file', () => {
  test('has a fixed name, its type, the mark of UTF-8, and is written down', async () => {
    const { ids } = await makePair(server.db)
    const lead = await makeLead(server.db, {
      ...ids,
      external_id: '=HYPERLINK("x")',
      utm_source: 'correo',
      created_at: '2026-03-05T04:30:00Z',
      lead_data: sql`'{"params": {"sub1": "ñ"}}'::jsonb`,
    })
    const query = `product_id=${ids.product_id}&utm_source=CORREO&external_id=HYPERLINK`
    const { status, headers, text } = await admin.get(`${PATH}/leads/?${query}`)
    const name = `afluente-leads-${dateInMexico()}.csv`
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(headers.get('cache-control')).toBe('no-store')
    const [heads, row, ...rest] = linesOf(text)
    expect(heads?.slice(0, 7)).toEqual(['ID', 'Tracking ID', 'External ID', 'Fecha', 'Emisor', 'Afiliado', 'Producto'])
    expect(row?.slice(0, 4)).toEqual([String(lead.id), lead.tracking_id, `"'=HYPERLINK(""x"")"`, '04/03/2026 22:30'])
    expect(text).toContain(',Datos del lead,Estado,"Monto (MXN, antes de IVA y retenciones)"\r\n')
    expect(row?.slice(-3)).toEqual(['"{""params"":{""sub1"":""ñ""}}"', 'Clic', ''])
    expect(rest).toEqual([])
    expect(await lastExport()).toMatchObject({
      entity: 'lead',
      label: name,
      changes: { format: [null, 'csv'], utm_source: [null, '(omitido)'], external_id: [null, '(omitido)'] },
    })
    const bytes = await fetch(`${server.origin}${PATH}/leads/?product_id=${ids.product_id}`, {
      headers: { authorization: `Bearer ${await makeBearer(server.db, { role: 'admin' })}` },
    }).then((answer) => answer.arrayBuffer())
    expect([...new Uint8Array(bytes).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  })

  test('of results leaves no trace of the value that was searched', async () => {
    expect((await admin.get(`${PATH}/results/?dimension=sub1&search=ana@correo.mx`)).status).toBe(200)
    const { entity, changes } = await lastExport()
    expect([entity, changes]).toEqual([
      'report',
      expect.objectContaining({ dimension: [null, 'sub1'], search: [null, '(omitido)'] }),
    ])
  })

  test('holds every row once, in the order of its list, across the batches it is read in', async () => {
    const { ids } = await makePair(server.db)
    await insertLeads(ids, 2500)
    const { text } = await admin.get(`${PATH}/leads/?product_id=${ids.product_id}&ordering=external_id`)
    const [, ...rows] = linesOf(text)
    expect(rows).toHaveLength(2500)
    const names = rows.map((row) => row[2])
    expect(names).toEqual(names.toSorted())
    expect(new Set(rows.map(([id]) => id)).size).toBe(2500)
  })

  test.each(['format=pdf', 'issuer_id=0', 'ordering=x', 'format=csv&format=xlsx'])(
    'is refused for %s',
    async (query) => {
      const answer = await admin.get(`${PATH}/leads/?${query}`)
      expect([answer.status, answer.json().success]).toEqual([400, false])
    },
  )

  test('takes whatever Accept asks for, and no HEAD', async () => {
    expect((await admin.get(`${PATH}/users/`, { headers: { accept: 'text/csv' } })).status).toBe(200)
    expect((await admin.request('HEAD', `${PATH}/users/`)).status).toBe(405)
    expect((await admin.post(`${PATH}/users/`, {})).headers.get('allow')).toBe('GET')
  })

  test('takes no token from the address', async () => {
    const token = await makeBearer(server.db, { role: 'admin' })
    for (const name of ['token', 'access', 'authorization'])
      expect((await server.anonymous.get(`${PATH}/users/?${name}=${token}`)).status).toBe(401)
  })
})

const insertLeads = (
  ids: { relationship_id: number; affiliate_id: number; issuer_id: number; product_id: number },
  count: number,
) =>
  server.db
    .insertInto('lead')
    .columns(['tracking_id', 'relationship_id', 'affiliate_id', 'issuer_id', 'product_id', 'external_id'])
    .expression(
      sql`select (left(first_id_of(timestamptz '2026-03-01Z' + i * interval '1 second')::text, 14)
        || substr(gen_random_uuid()::text, 15))::uuid, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint, ${ids.issuer_id}::bigint,
        ${ids.product_id}::bigint, 'cliente ' || (i * 7919 % 100003)
        from generate_series(1, ${count}::int) i`,
    )
    .execute()

const exportXlsx = async (path: string) => {
  const headers = { authorization: `Bearer ${await makeBearer(server.db, { role: 'admin' })}` }
  const answer = await fetch(server.origin + path, { headers })
  return { headers: answer.headers, parts: unzip(Buffer.from(await answer.arrayBuffer())) }
}

test('a spreadsheet opens, with numbers as numbers, dates as dates and no formula', async () => {
  const { ids, issuer } = await makePair(server.db)
  await makePayment(server.db, ids, { notes: '=1+1 & <b>', total_amount: '1500.50' })
  const { headers, parts } = await exportXlsx(`${PATH}/payments/?format=xlsx&issuer=${issuer.id}`)
  expect(headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="afluente-pagos-\d{4}-\d\d-\d\d\.xlsx"$/)
  expect(Object.keys(parts)).toEqual(
    expect.arrayContaining(['[Content_Types].xml', 'xl/workbook.xml', 'xl/styles.xml', 'xl/worksheets/sheet1.xml']),
  )
  const sheet = parts['xl/worksheets/sheet1.xml'] ?? ''
  expect(sheet).not.toContain('<f>')
  expect(sheet).toContain('=1+1 &amp; &lt;b&gt;')
  expect(sheet).toContain('Monto total (MXN, antes de IVA y retenciones)')
  expect(sheet).toMatch(/<c r="J2" s="\d+"><v>1500.5<\/v><\/c>/)
  // 1 March 2025, as sheets count days.
  expect(sheet).toMatch(/<c r="D2" s="\d+"><v>45717<\/v><\/c>/)
  expect(parts['xl/styles.xml']).toContain('#,##0.00')
  expect(parts['xl/styles.xml']).toContain('dd/mm/yyyy hh:mm')
})

describe('who gets which', () => {
  test('an affiliate gets its leads without what the issuer knows of them', async () => {
    const { ids, affiliate } = await makePair(server.db)
    const lead = await makeLead(server.db, { ...ids, lead_data: sql`'{"secreto": 1}'::jsonb` })
    await makeLead(server.db, (await makePair(server.db)).ids)
    const { text } = await (await server.as({ role: 'affiliate', affiliateId: affiliate.id })).get(`${PATH}/leads/`)
    const [heads, ...rows] = linesOf(text)
    expect(heads).not.toContain('Datos del lead')
    expect(heads).not.toContain('Afiliado')
    expect(text).not.toContain('secreto')
    expect(rows.map(([id]) => Number(id))).toEqual([lead.id])
  })

  test.each([
    'leads',
    'payments',
    'affiliates',
    'issuers',
    'users',
    'relationships',
    'products',
    'event-steps',
    'commissions',
  ])('of %s only the chosen ones', async (noun) => {
    const made = [await makeRowOf(noun), await makeRowOf(noun), await makeRowOf(noun)]
    const [first, , last] = made.toSorted((a, b) => a - b)
    const { text } = await admin.get(`${PATH}/${noun}/?ids=${last},${first},999999999`)
    const rows = linesOf(text).slice(1)
    expect(rows.map(([id]) => Number(id)).sort((a, b) => a - b)).toEqual([first, last])
  })

  test('the chosen ones of others stay theirs', async () => {
    const [mine, theirs] = [await makePair(server.db), await makePair(server.db)]
    const leads = await Promise.all([mine, theirs].map(({ ids }) => makeLead(server.db, ids)))
    const affiliate = await server.as({ role: 'affiliate', affiliateId: mine.ids.affiliate_id })
    const { text } = await affiliate.get(`${PATH}/leads/?ids=${leads.map(({ id }) => id)}`)
    expect(
      linesOf(text)
        .slice(1)
        .map(([id]) => id),
    ).toEqual([String(leads[0]?.id)])
  })

  test.each(['0', '1,', 'a', Array.from({ length: 501 }, (_, index) => index + 1).join()])(
    'what is no list of up to 500 ids is refused: %s',
    async (ids) => {
      expect((await admin.get(`${PATH}/payments/?ids=${ids}`)).status).toBe(400)
    },
  )

  test('targets of products stay hidden from affiliates, who get their link', async () => {
    const { product, affiliate, relationship } = await makePair(server.db)
    const { text } = await (await server.as({ role: 'affiliate', affiliateId: affiliate.id })).get(`${PATH}/products/`)
    expect(text).not.toContain(product.redirect_url)
    expect(text).toContain(`/leads/redirect/${relationship.id}/?product_id=${product.id}`)
  })

  test('people of companies stand in the rows of the administrator alone', async () => {
    const { issuer, affiliate } = await makePair(server.db)
    const user = await makeUser(server.db, { role: 'affiliate', affiliateId: affiliate.id })
    const asIssuer = await (await server.as({ role: 'issuer', issuerId: issuer.id })).get(`${PATH}/affiliates/`)
    expect(asIssuer.text).toContain(affiliate.company_name)
    expect(asIssuer.text).not.toContain(user.email)
    expect((await admin.get(`${PATH}/affiliates/`)).text).toContain(user.email)
  })

  test('the entries of a payment are those of its screen, and its difference comes last', async () => {
    const { ids } = await makePair(server.db)
    const payment = await makePayment(server.db, ids)
    const entry = await makeEntry(server.db, ids, { amount: '250.50' })
    await makeEntry(server.db, ids, {})
    await server.db
      .updateTable('commission_entry')
      .set({ payment_id: payment.id, state: 'in_payment' })
      .where('id', '=', entry.id)
      .execute()
    const { text, headers } = await admin.get(`${PATH}/payments/${payment.id}/entries/`)
    expect(headers.get('content-disposition')).toContain(`afluente-pago-${payment.id}-comisiones-`)
    const [heads, row, ...rest] = linesOf(text.replaceAll('"', ''))
    expect(heads?.slice(-2).join()).toBe('Monto (MXN, antes de IVA y retenciones)')
    expect([row?.[0], row?.[7], row?.at(-1)]).toEqual([String(entry.id), 'En pago', '250.50'])
    expect(rest.map((line) => line.slice(5))).toEqual([['Ajuste', '31/03/2025 00:00', 'En pago', '', '1500.00']])
  })
})

test('the amounts of a payment add up to its total, also when its commissions changed', async () => {
  const { ids, issuer } = await makePair(server.db)
  const amounts = [
    { period_end: '2025-03-10', total_amount: '500.00', calculated_amount: '500.00' },
    { period_end: '2025-03-20', total_amount: '750.00', calculated_amount: '700.00' },
    { period_end: '2025-03-30', total_amount: '90.00', calculated_amount: '100.00' },
  ]
  const [, second] = await Promise.all(amounts.map((columns) => makePayment(server.db, ids, columns)))
  const entry = await makeEntry(server.db, ids, { amount: '500.00' })
  const held = { payment_id: Number(second?.id), state: 'in_payment' }
  await server.db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  const { text } = await admin.get(`${PATH}/payments/?issuer=${issuer.id}`)
  const [heads = [], ...rows] = linesOf(text.replaceAll(/"| \(MXN, [^)]*\)/g, ''))
  const columns = ['Monto total', 'En comisiones', 'Cambio posterior de comisiones', 'Ajuste']
  const amountsIn = (row: string[]) => columns.map((head) => row[heads.indexOf(head)] ?? '')
  expect(rows).toHaveLength(3)
  for (const [total, ...parts] of rows.map(amountsIn)) expect(sumAmounts(parts), String(parts)).toBe(total)
  expect(rows.map(amountsIn)).toContainEqual(['750.00', '500.00', '200.00', '50.00'])
})

test('payments narrow by year and month of their beginning, steps by their words', async () => {
  const { ids, affiliate, product } = await makePair(server.db)
  const march = await makePayment(server.db, ids)
  await makePayment(server.db, ids, { period_start: '2025-04-01', period_end: '2025-04-30' })
  await makePayment(server.db, ids, { period_start: '2024-03-01', period_end: '2024-03-31' })
  const client = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const [, ...rows] = linesOf((await client.get(`${PATH}/payments/?year=2025&month=03`)).text)
  expect(rows.map(([id]) => Number(id))).toEqual([march.id])
  await server.db
    .insertInto('event_step')
    .values([
      { product_id: product.id, event_type_id: 3, name: 'Crédito aprobado', step_order: 1 },
      { product_id: product.id, event_type_id: 1, name: 'Solicitud', step_order: 2 },
    ])
    .execute()
  const steps = linesOf((await client.get(`${PATH}/event-steps/?search=credito`)).text)
  expect(steps.slice(1).map((row) => row[4])).toEqual(['Crédito aprobado'])
})

test('a search looks where the screen of the role looks', async () => {
  const { ids, issuer, product, affiliate } = await makePair(server.db)
  const payment = await makePayment(server.db, ids)
  await server.db.updateTable('issuer').set({ company_name: 'Zafiro' }).where('id', '=', issuer.id).execute()
  await server.db.updateTable('affiliate').set({ company_name: 'Topacio' }).where('id', '=', affiliate.id).execute()
  const client = await server.as({ role: 'issuer', issuerId: issuer.id })
  const found = async (from: TestClient, noun: string, search: string) =>
    linesOf((await from.get(`${PATH}/${noun}/?search=${encodeURIComponent(search)}`)).text)
      .slice(1)
      .map(([id]) => Number(id))
  expect(await found(client, 'products', String(product.id))).toEqual([product.id])
  expect(await found(client, 'products', 'Zafiro')).toEqual([])
  expect(await found(client, 'payments', 'Topacio')).toEqual([payment.id])
  expect(await found(client, 'payments', 'Zafiro')).toEqual([])
  expect(await found(admin, 'payments', 'Zafiro')).toEqual([payment.id])
  expect(await found(client, 'affiliates', affiliate.rfc)).toEqual([])
  expect(await found(admin, 'affiliates', affiliate.rfc)).toEqual([affiliate.id])
  const user = await makeUser(server.db, { role: 'affiliate', affiliateId: affiliate.id }, { first_name: 'Buscada' })
  expect(await found(admin, 'users', 'buscada afiliado')).toEqual([user.id])
  expect(await found(admin, 'users', 'buscada emisor')).toEqual([])
})

async function makeRowOf(noun: string): Promise<number> {
  const { ids } = await makePair(server.db)
  const made: Record<string, () => Promise<number> | number> = {
    leads: async () => Number((await makeLead(server.db, ids)).id),
    payments: async () => (await makePayment(server.db, ids)).id,
    affiliates: () => ids.affiliate_id,
    issuers: () => ids.issuer_id,
    users: async () => (await makeUser(server.db, { role: 'admin' })).id,
    relationships: () => ids.relationship_id,
    products: () => ids.product_id,
    'event-steps': async () => (await makeStep(server.db, { product_id: ids.product_id })).id,
    commissions: async () => (await makeCommission(server.db, ids)).id,
  }
  return made[noun]?.() ?? 0
}

describe('while a file travels', () => {
  /** Sees every connection, which the server's own role may not. */
  let owner: Db
  let path: string
  beforeAll(async () => {
    owner = connect(server.databaseUrl, { max: 1 })
    const { ids } = await makePair(server.db)
    // More than what the sockets in between would swallow.
    await insertLeads(ids, 60_000)
    path = `${PATH}/leads/?product_id=${ids.product_id}`
  })
  afterAll(() => owner.destroy())

  const ours = sql`application_name = 'afluente exports' and datname = current_database() and xact_start is not null`
  const busy = async () =>
    (await sql<{ count: number }>`select count(*) from pg_stat_activity where ${ours}`.execute(owner)).rows[0]?.count

  const newcomer = async () => {
    const authorization = `Bearer ${await makeBearer(server.db, { role: 'admin' })}`
    return (query = '', signal: AbortSignal | null = null) =>
      fetch(server.origin + path + query, { signal, headers: { authorization, 'accept-encoding': '' } })
  }

  test.each(['csv', 'xlsx'])('its owner gets no second one; leaving frees the connection (%s)', async (format) => {
    const ask = await newcomer()
    const leaving = new AbortController()
    const answer = await ask(`&format=${format}`, leaving.signal)
    await answer.body?.getReader().read()
    expect(await busy()).toBe(1)
    const second = await ask()
    expect([second.status, (await second.json()).message]).toEqual([409, EXPORT_RUNNING])
    leaving.abort()
    await expect.poll(busy).toBe(0)
    const again = await ask(`&format=${format}&external_id=cliente%207919`)
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([200, expect.any(Number)])
    await expect.poll(busy).toBe(0)
  })

  test('of ten at the same moment one begins', async () => {
    const ask = await newcomer()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    await Promise.all(answers.map((answer) => answer.body?.cancel()))
    await expect.poll(busy).toBe(0)
  })

  test('a lost connection breaks the file off instead of ending it', async () => {
    const answer = await (await newcomer())()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`.execute(owner)
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })
})
