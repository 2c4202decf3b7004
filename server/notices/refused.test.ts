import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { dateInMexico, dayFirst } from '#contract/time.ts'
import { until } from '../deliveries/deliveries.testing.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startServer, type TestClient, type TestServer } from '../testing.ts'
import { announceRefused } from './refused.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const textsOf = async (client: TestClient): Promise<string[]> =>
  (await client.get('/api/v1/notices/')).json().data.results.map(({ text }: Notice) => text)

test('events that are refused in numbers are told to their issuer on the same day, once, with why and an example', async () => {
  const funnel = await makeFunnel(server)
  const ofIssuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const refuse = (count: number, event: object) =>
    funnel.client.post(`${EVENTS}batch/`, { events: Array.from({ length: count }, () => event) })
  await refuse(14, { tracking_id: '{clickid}', event_type: 'aprobado' })
  await refuse(5, { tracking_id: funnel.lead.tracking_id, event_type: 'aprobada' })
  await announceRefused(server.appDb)
  expect(await textsOf(ofIssuer)).toEqual([])
  await refuse(1, { event_type: 'aprobado' })
  await Promise.all([announceRefused(server.appDb), announceRefused(server.appDb)])
  const told =
    'Tracking ID desconocido (14), Evento desconocido (5), Datos no válidos (1). ' +
    'Ejemplo: tracking_id desconocido: llegó sin reemplazar por el del lead, tracking_id {clickid}…, paso «aprobado»'
  await until(() => textsOf(ofIssuer)).toEqual([
    `Se rechazan eventos de tu sistema: 20 el ${dayFirst(dateInMexico())}: ${told}`,
  ])
  await refuse(30, { tracking_id: '{clickid}', event_type: 'aprobado' })
  await announceRefused(server.appDb)
  expect(await textsOf(ofIssuer)).toHaveLength(1)
})
