import { expect, test } from 'vitest'
import { makeAccount, PASSWORD, signIn } from '../auth/testing.ts'
import { makePair, startServer, type TestServer } from '../testing.ts'

async function withServer(trustProxy: string, run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ TRUST_PROXY: trustProxy })
  await run(server).finally(() => server.stop())
}

test.each([
  ['0', '127.0.0.1', '127.0.0.0/24'],
  ['1', '198.51.100.7', '198.51.100.0/24'],
  ['2', '203.0.113.9', '203.0.113.0/24'],
])('with %s proxies in front, whoever signs in or clicks comes from %s', (trustProxy, address, ip_trunc) =>
  withServer(trustProxy, async (server) => {
    // The first may be anything that the client wrote; each proxy writes one behind it.
    const said = '192.0.2.1, 203.0.113.9, 198.51.100.7'
    const { id, email } = await makeAccount(server)
    expect((await signIn(server, email, PASSWORD, said)).status).toBe(200)
    const sessions = await server.db.selectFrom('session').select('address').where('user_id', '=', id).execute()
    expect(sessions).toEqual([{ address }])
    const { ids } = await makePair(server.db)
    const link = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}`
    expect((await server.anonymous.get(link, { headers: { 'x-forwarded-for': said } })).status).toBe(302)
    const leads = () => server.db.selectFrom('lead').select('lead_data').execute()
    // Through the spool, where the database is slow.
    await expect.poll(leads).toEqual([{ lead_data: expect.objectContaining({ ip_trunc }) }])
  }),
)

test('without a proxy, addresses that a guesser makes up are one, which is locked', () =>
  withServer('0', async (server) => {
    const { email } = await makeAccount(server)
    const statuses: number[] = []
    for (let part = 1; part <= 6; part += 1)
      statuses.push((await signIn(server, email, 'otra clave distinta', `203.0.${part}.1`)).status)
    expect(statuses).toEqual([...Array(5).fill(401), 429])
  }))
