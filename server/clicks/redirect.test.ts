import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { announceLinkFaults } from '../products/link-faults.ts'
import { makePair, makeProduct, startServer, type TestAnswer, type TestServer, unique } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] }) // no click is late, however busy the machine is
  server = await startServer()
})
afterAll(async () => {
  await server.stop()
  vi.useRealTimers()
})

const CHROME =
  'Mozilla/5.0 (Linux; Android 14; SM-A546E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
type Pair = Awaited<ReturnType<typeof makePair>>

const linkOf = ({ ids }: Pair, more = '') =>
  `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}${more}`
const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.anonymous.request(method, path, { headers: { 'user-agent': CHROME, ...headers } })
const leadsOf = ({ ids }: Pair) =>
  server.db.selectFrom('lead').selectAll().where('product_id', '=', ids.product_id).orderBy('id').execute()
const countsOf = async ({ ids }: Pair) => {
  const rows = await server.db
    .selectFrom('preview_count')
    .select(['reason', 'count'])
    .where('product_id', '=', ids.product_id)
    .orderBy('reason')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.reason, row.count]))
}
const trackingIdIn = (answer: TestAnswer) => new URL(answer.headers.get('location') ?? '').searchParams.get('ref') ?? ''

test('a click is stored with its ids and leads to the issuer with the tracking id', async () => {
  const pair = await makePair(server.db)
  const campaign = '&external_id=click-77&utm_source=face&utm_medium=cpc&utm_campaign=mayo&utm_term=oro&utm_content=a1'
  const answer = await open(linkOf(pair, `${campaign}&sub1=x&gclid=g&secret=no`), {
    referer: 'https://blog.example.mx/nota?persona=ana',
  })
  expect(answer.status).toBe(302)
  expect(answer.text).toBe('')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store, private',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  expect(answer.headers.get('content-encoding')).toBeNull()
  const [lead, ...others] = await leadsOf(pair)
  expect(others).toEqual([])
  expect(answer.headers.get('location')).toBe(`https://banco.example.mx/alta?ref=${lead?.tracking_id}`)
  expect(lead?.tracking_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(lead).toMatchObject({
    ...pair.ids,
    external_id: 'click-77',
    utm_source: 'face',
    utm_medium: 'cpc',
    utm_campaign: 'mayo',
    utm_term: 'oro',
    utm_content: 'a1',
    lead_data: {
      params: { sub1: 'x', gclid: 'g' },
      ip_trunc: '127.0.0.0/24',
      ua_family: 'Chrome Android',
      referer_host: 'blog.example.mx',
    },
  })
})

test.each([
  ['no word of the browser', {}, undefined],
  ['a person opening a page', { 'sec-fetch-dest': 'document' }, undefined],
  ['a hidden image', { 'sec-fetch-dest': 'image' }, ['not_a_navigation']],
  ['a frame', { 'sec-fetch-dest': 'iframe' }, ['not_a_navigation']],
  ['a script that fetches', { 'sec-fetch-dest': 'empty' }, ['not_a_navigation']],
  ['a tool', { 'sec-fetch-dest': 'script', 'user-agent': 'curl/8' }, ['automated', 'not_a_navigation']],
])('the lead of %s says so', async (_what, headers: Record<string, string>, flags) => {
  const pair = await makePair(server.db)
  expect((await open(linkOf(pair), headers)).status).toBe(302)
  const [lead] = await leadsOf(pair)
  const data = lead?.lead_data as { ua_family: string; flags?: string[] } | undefined
  expect([data?.ua_family, data?.flags]).toEqual([expect.any(String), flags])
})

test('both slash forms are the same link', async () => {
  const pair = await makePair(server.db)
  const bare = linkOf(pair).replace('/?', '?')
  expect((await open(bare)).status).toBe(302)
  expect((await open(linkOf(pair))).status).toBe(302)
  expect(await leadsOf(pair)).toHaveLength(1)
})

test('a double tap is one lead; another campaign, external id, browser, language or page is another', async () => {
  const pair = await makePair(server.db)
  const taps = await Promise.all(Array.from({ length: 10 }, () => open(linkOf(pair))))
  expect(new Set(taps.map(trackingIdIn)).size).toBe(1)
  expect(await leadsOf(pair)).toHaveLength(1)
  const other = await Promise.all([
    open(linkOf(pair, '&external_id=a')),
    open(linkOf(pair, '&external_id=b')),
    open(linkOf(pair, '&utm_source=a')),
    open(linkOf(pair), { 'user-agent': `${CHROME} otra` }),
    open(linkOf(pair), { 'accept-language': 'en-US' }),
    open(linkOf(pair), { 'sec-ch-ua-platform': '"Android"' }),
    open(linkOf(pair), { referer: 'https://instagram.com/' }),
  ])
  expect(new Set([...taps, ...other].map(trackingIdIn)).size).toBe(8)
  expect(await leadsOf(pair)).toHaveLength(8)
})

test('many clicks at once are all stored, each once', async () => {
  const pair = await makePair(server.db)
  const clicks = Array.from({ length: 150 }, (_, index) => open(linkOf(pair, `&external_id=m${index}`)))
  const answers = await Promise.all(clicks)
  const answered = answers.map(trackingIdIn).sort()
  expect((await leadsOf(pair)).map((lead) => lead.tracking_id).sort()).toEqual(answered)
})

test('unknown links are 404, what is not a number is 400', async () => {
  const [pair, stranger] = [await makePair(server.db), await makePair(server.db)]
  const path = (relationship: unknown, product: unknown) =>
    `/api/v1/leads/redirect/${relationship}/?product_id=${product}`
  const { relationship_id, product_id } = pair.ids
  const paths: [string, number][] = [
    [path(relationship_id, stranger.ids.product_id), 404],
    [path(relationship_id, 999_999), 404],
    [path(999_999, product_id), 404],
    [path(0, product_id), 404],
    [path(-1, product_id), 404],
    [path('9223372036854775808', product_id), 404],
    [path(2 ** 31, product_id), 404],
    [path('abc', product_id), 400],
    [path(relationship_id, '1e3'), 400],
    [path(relationship_id, ''), 400],
    [`/api/v1/leads/redirect/${relationship_id}/`, 400],
  ]
  for (const [url, status] of paths) expect((await open(url)).status, url).toBe(status)
})

test.for([
  ['relationship', { relationship_status: 'inactive' }],
  ['product', { product_status: 'inactive' }],
  ['issuer', { user_status: 'inactive' }],
  ['affiliate', { user_status: 'inactive' }],
  ['relationship', { archived_at: new Date().toISOString() }],
  ['product', { archived_at: new Date().toISOString() }],
] as const)('a click on an inactive or archived %s is a 410', async ([table, columns]) => {
  const pair = await makePair(server.db)
  expect((await open(linkOf(pair))).status).toBe(302)
  await server.db.updateTable(table).set(columns).where('id', '=', pair[table].id).execute()
  await expect.poll(async () => (await open(linkOf(pair))).status).toBe(410)
  expect(await leadsOf(pair)).toHaveLength(1)
  expect((await open(linkOf(pair), {}, 'HEAD')).status).toBe(410)
})

test('a changed target is live at once', async () => {
  const pair = await makePair(server.db)
  await open(linkOf(pair))
  const redirect_url = 'https://banco.example.mx/otra/{tracking_id}'
  await server.db.updateTable('product').set({ redirect_url }).where('id', '=', pair.product.id).execute()
  await expect
    .poll(async () => (await open(linkOf(pair))).headers.get('location'))
    .toMatch('https://banco.example.mx/otra/')
})

test('a link is live as soon as it exists, though it was asked for before', async () => {
  const pair = await makePair(server.db)
  const soon = { ...pair, ids: { ...pair.ids, product_id: pair.ids.product_id + 1 } }
  expect((await open(linkOf(soon))).status).toBe(404)
  await makeProduct(server.db, { issuer_id: pair.issuer.id })
  await expect.poll(async () => (await open(linkOf(soon))).status).toBe(302)
})

test('HEAD says whether the link is good and makes no lead', async () => {
  const pair = await makePair(server.db)
  const head = await open(linkOf(pair), {}, 'HEAD')
  expect([head.status, head.text, head.headers.get('location')]).toEqual([204, '', null])
  expect((await open('/api/v1/leads/redirect/999999/?product_id=1', {}, 'HEAD')).status).toBe(404)
  expect(await leadsOf(pair)).toEqual([])
})

test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is not a click', async (method) => {
  const pair = await makePair(server.db)
  const answer = await open(linkOf(pair), { 'content-type': 'text/strange' }, method)
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(await leadsOf(pair)).toEqual([])
})

test.for([
  { 'sec-purpose': 'prefetch' } as Record<string, string>,
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'prefetch' },
  { 'sec-purpose': 'prerender' },
  { purpose: 'preview' },
  { 'x-moz': 'prefetch' },
  { 'x-purpose': 'instant' },
])('a fetch ahead (%o) is no click', async (headers) => {
  const pair = await makePair(server.db)
  const answer = await open(linkOf(pair), headers)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store, private'])
  expect(await leadsOf(pair)).toEqual([])
})

test('bots and previews are redirected without a lead, and counted like clicks on inactive links', async () => {
  const pair = await makePair(server.db)
  const agents = ['WhatsApp/2.23.20.0 A', 'facebookexternalhit/1.1', 'Mozilla/5.0 (compatible; Googlebot/2.1)']
  const answers = await Promise.all(agents.map((agent) => open(linkOf(pair), { 'user-agent': agent })))
  expect(answers.map((answer) => answer.status)).toEqual([302, 302, 302])
  expect(new Set(answers.map(trackingIdIn)).size).toBe(3)
  expect(await leadsOf(pair)).toEqual([])
  const ended = await makePair(server.db)
  await server.db
    .updateTable('product')
    .set({ product_status: 'inactive' })
    .where('id', '=', ended.product.id)
    .execute()
  await Promise.all(Array.from({ length: 3 }, () => open(linkOf(ended))))
  // They are written down now and then: the one may come a turn before the other.
  await expect.poll(() => countsOf(pair)).toEqual({ preview: 2, bot: 1 })
  await expect.poll(() => countsOf(ended)).toEqual({ inactive: 3 })
})

test('what a link loses is counted by link and day, read by its affiliate alone, and told once', async () => {
  const [pair, stranger] = [await makePair(server.db), await makePair(server.db)]
  const own = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
  const other = await server.as({ role: 'affiliate', affiliateId: stranger.affiliate.id })
  const agents = ['a', 'b', 'c'].map((name) => ({ 'user-agent': `${CHROME} ${name}` }))
  for (const headers of agents) await open(linkOf(pair, '&external_id={clickid}'), headers)
  await open(linkOf(pair, `&external_id=${'x'.repeat(300)}`))
  await open(`/api/v1/leads/redirect/${pair.ids.relationship_id}/?product_id=`)
  await open(`/api/v1/leads/redirect/${pair.ids.relationship_id}/?product_id=999999`)
  await open(`/api/v1/leads/redirect/${pair.ids.relationship_id}/`, { 'user-agent': 'Googlebot/2.1' })
  await open('/api/v1/leads/redirect/999999/?product_id=1')
  const listOf = async (client: typeof own) => (await client.get('/api/v1/products/link-faults/')).json().data
  const link = { relationship_id: pair.ids.relationship_id, issuer_name: pair.issuer.company_name }
  const ofProduct = { ...link, product_id: pair.ids.product_id, product_name: pair.product.name }
  await expect
    .poll(() => listOf(own))
    .toMatchObject([
      { ...ofProduct, reason: 'unreplaced', sample: '{clickid}', clicks: 3 },
      { ...link, product_id: null, reason: 'lost', clicks: 2 },
      { ...ofProduct, reason: 'changed', clicks: 1 },
    ])
  expect(await listOf(other)).toEqual([])
  const told = async () => {
    const { results } = (await own.get('/api/v1/notices/')).json().data
    return results.map(({ text }: { text: string }) => text).sort()
  }
  const sentences = [
    `Tu enlace de ${pair.product.name} manda una referencia que se corta o se cubre: sus clics llegan sin ella`,
    `Tu enlace de ${pair.product.name} manda {clickid} sin reemplazar: sus clics llegan sin tu referencia`,
    `Un enlace tuyo de ${pair.issuer.company_name} no nombra un producto que exista: sus clics no son leads`,
  ]
  for (const _again of [1, 2]) {
    await announceLinkFaults(server.db)
    await expect.poll(told).toEqual(sentences)
  }
})

test('dirty, long and repeated parameters never refuse a click', async () => {
  const pair = await makePair(server.db)
  const long = 'x'.repeat(10_000)
  const query = `&external_id=%00a%E0%A4%A&external_id=second&utm_source=${long}&utm_term=%ED%A0%80b&utm_content=%&utm_medium=%0D%0ASet-Cookie:%20a=1&utm_campaign=%E2%80%AEoro&__proto__=1`
  const answer = await open(linkOf(pair, query))
  expect(answer.status).toBe(302)
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(await leadsOf(pair)).toMatchObject([
    {
      external_id: 'aà¤%A',
      utm_source: long.slice(0, 255),
      utm_term: 'í\u00A0€b',
      utm_content: '%',
      utm_medium: 'Set-Cookie: a=1',
      utm_campaign: 'oro',
      lead_data: {
        notes: ['utm_source:truncated', 'utm_campaign:cleaned'],
      },
    },
  ])
})

test('texts are stored letter by letter, whatever they mean to PostgreSQL', async () => {
  const pair = await makePair(server.db)
  const texts = {
    external_id: 'C:\\temp\\new',
    utm_source: '\\N',
    utm_medium: '\\.',
    utm_campaign: '\\\\t"x"',
    utm_term: `'; --`,
  }
  const gclid = 'a"b\\n{,}'
  expect((await open(linkOf(pair, `&${new URLSearchParams({ ...texts, gclid })}`))).status).toBe(302)
  expect(await leadsOf(pair)).toMatchObject([{ ...texts, utm_content: '', lead_data: { params: { gclid } } }])
})

test('the destination comes from the stored address alone', async () => {
  const pair = await makePair(server.db)
  const evil = encodeURIComponent('https://evil.example')
  const answer = await open(
    linkOf(pair, `&url=${evil}&redirect_url=${evil}&next=//evil.example&external_id=${evil}%0D%0ALocation:${evil}`),
    {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    },
  )
  expect(new URL(answer.headers.get('location') ?? '').origin).toBe('https://banco.example.mx')
  expect((await open('/api/v1/leads/redirect//evil.example/?product_id=1')).headers.get('location')).toBeNull()
})

test('every placeholder is filled, letters outside ASCII travel encoded, a target in the host is refused', async () => {
  const pair = await makePair(server.db)
  const redirect_url = 'https://banco.example.mx/crédito/{tracking_id}?a=%7Btracking_id%7D#{tracking_id}'
  const relation = { issuer_id: pair.issuer.id, name: `Tarjeta ${unique()}` }
  const product = await makeProduct(server.db, { ...relation, redirect_url })
  const link = (productId: number) => `/api/v1/leads/redirect/${pair.relationship.id}/?product_id=${productId}`
  const location = (await open(link(product.id))).headers.get('location') ?? ''
  expect(location).toMatch(/^https:\/\/banco\.example\.mx\/cr%C3%A9dito\/([0-9a-f-]{36})\?a=\1#\1$/)
  const bad = await makeProduct(server.db, { ...relation, redirect_url: 'https://{tracking_id}.example.mx/' })
  const refused = await open(link(bad.id))
  expect([refused.status, refused.headers.get('location')]).toEqual([500, null])
})

test('a link as it is typed, pasted or escaped leads on; what is none is a page, in any spelling of the path', async () => {
  const pair = await makePair(server.db)
  const { relationship_id: link, product_id: product } = pair.ids
  const written = [
    `/api/v1/leads/redirect/${link},/?product_id=${product}`,
    `/api/v1/leads/redirect/${link}%20/?product_id=${product}`,
    `/api/v1/leads/redirect/${link})?product_id=${product}.`,
    `/api/v1/leads/redirect/%7B${link}%7D/?product_id=%22${product}%22`,
    `/api/v1/leads/redirect/${link}/%3Fproduct_id=${product}`,
    `/api/v1/leads/redirect/${link}/%3Fproduct_id%3D${product}%26utm_source%3Dx`,
    `//api//v1/leads/redirect/${link}//?product_id=${product}`,
    `/API/V1/Leads/Redirect/${link}/?Product_ID=${product}`,
    `/%61pi/v1/leads/redirect/${link}/?product_id=${product}`,
    `/api/v1/leads/redirect/${link}/?utm_source=boletin&amp;product_id=${product}`,
  ]
  for (const url of written) expect((await open(url)).status, url).toBe(302)
  const none = ['', '/', '/x', `/${link}/otra`, `/${link}/%ff%zz`, `/${'9'.repeat(200)}/`, '//evil.example/']
  for (const rest of none) {
    const page = await open(`/api/v1/leads/redirect${rest}?product_id=${product}`, { accept: '*/*' })
    expect([400, 404], rest).toContain(page.status)
    expect(page.headers.get('content-type'), rest).toBe('text/html; charset=utf-8')
  }
})

test('a person gets a page that runs nothing; a program gets JSON when it asks', async () => {
  const path = '/api/v1/leads/redirect/999999/?product_id=1'
  const page = await open(path, { accept: 'text/html,application/xhtml+xml,*/*' })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toMatch("default-src 'none'; style-src 'sha256-")
  expect(page.text).toContain('<html lang="es-MX">')
  expect(page.text).toContain('<meta name="robots" content="noindex">')
  expect(page.text).not.toMatch(/<script|999999|url\(|src=| style=|<link/)
  const style = /<style>(.*)<\/style>/s.exec(page.text)?.[1] ?? ''
  expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
  const json = await open(path, { accept: 'application/json' })
  expect(json.json()).toMatchObject({ success: false, data: null, meta: { code: 'NOT_FOUND' } })
})
