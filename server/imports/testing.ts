import { setTimeout as wait } from 'node:timers/promises'
import { writeXlsxStream } from 'hucre/xlsx'
import type { z } from 'zod'
import type { ImportMapping } from '#contract/import-mapping.ts'
import type { Import } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import {
  makeCommission,
  makeLead,
  makePair,
  makePayingStep,
  makeStep,
  type TestAnswer,
  type TestClient,
} from '../testing.ts'

/** A product with the steps of most: request, approval that pays, rejection, delivery. */
export async function makeWorld(db: Db) {
  const { ids, issuer, product } = await makePair(db)
  const commission = await makeCommission(db, ids)
  const of = { product_id: ids.product_id }
  const request = await makeStep(db, { ...of, event_type_id: 1, name: 'Solicitud' })
  const approval = await makePayingStep(db, { ...of, name: 'Tarjeta aprobada' })
  const rejection = await makeStep(db, { ...of, event_type_id: 4, name: 'Rechazada' })
  const lead = (columns: Record<string, unknown> = {}) => makeLead(db, { ...ids, ...columns })
  return { ids, issuer, product, commission, request, approval, rejection, lead }
}
export type World = Awaited<ReturnType<typeof makeWorld>>

const HEADER = ['folio', 'estado', 'motivo']
export const csvOf = (rows: readonly (readonly string[])[], header: readonly string[] = HEADER): string =>
  [header, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')

export const xlsxOf = async (rows: (string | number | Date | null)[][]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(writeXlsxStream(rows, { name: 'Hoja' }) as BodyInit).arrayBuffer())

export const upload = (
  client: TestClient,
  file: string | Uint8Array<ArrayBuffer>,
  { query = '', type = 'text/csv', name = 'marzo.csv' } = {},
): Promise<TestAnswer> =>
  client.request('POST', `/api/v1/imports/?name=${name}${query}`, { rawBody: file, headers: { 'content-type': type } })

/** What csvOf() means. */
export const mappingOf = (changes: Partial<z.input<typeof ImportMapping>> = {}) => ({
  ...({ key: 'tracking_id', key_column: 0, status_column: 1, reason_column: 2 } as const),
  values: [
    { value: 'APROBADA', action: 'step', event_type_id: 3 },
    { value: 'SOLICITUD', action: 'step', event_type_id: 1 },
    { value: 'RECHAZADA', action: 'reject' },
    { value: 'PENDIENTE', action: 'ignore' },
  ] as const,
  reasons: [{ value: 'buró', code: 'buro' }],
  ...changes,
})

export const at = (id: number, rest = ''): string => `/api/v1/imports/${id}/${rest}`

/** When the server has done what the status of a file names. */
export async function whenDone(client: TestClient, id: number): Promise<Import> {
  for (;;) {
    const answer = await client.get(at(id))
    if (answer.status !== 200) throw new Error(answer.text)
    const { data } = answer.json()
    if (!data.status.endsWith('ing')) return data
    await wait(100)
  }
}

/** Uploads, maps and simulates. */
export async function simulated(client: TestClient, file: string, mapping: object = mappingOf()): Promise<Import> {
  const { id } = (await upload(client, file)).json().data
  const mapped = await client.put(at(id, 'mapping/'), mapping)
  if (mapped.status !== 200) throw new Error(mapped.text)
  await client.post(at(id, 'simulate/'))
  return whenDone(client, id)
}

export async function applied(client: TestClient, { id, simulated_at }: Import): Promise<Import> {
  const answer = await client.post(at(id, 'apply/'), { simulated_at })
  if (answer.status !== 202) throw new Error(answer.text)
  return whenDone(client, id)
}
