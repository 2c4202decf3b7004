import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FILES, startServer, type TestClient, type TestServer } from '../testing.ts'
import { at, csvOf, makeWorld, mappingOf, upload } from './testing.ts'

const DOCS = join(import.meta.dirname, '../../docs')

let server: TestServer
let client: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
  const { ids } = await makeWorld(server.db)
  client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
})
afterAll(() => server.stop())

const uploaded = async (file: string): Promise<number> => (await upload(client, file)).json().data.id
const map = (id: number, mapping: object) => client.put(at(id, 'mapping/'), mapping)

test('a value that is said twice is refused, whether it means the same or not', async () => {
  const id = await uploaded(csvOf([['a', 'APROBADA', 'buró']]))
  const step = { value: 'APROBADA', action: 'step', event_type_id: 3 } as const
  const reason = { value: 'buró', code: 'buro' }
  const twice = [
    mappingOf({ values: [step, { value: 'APROBADA', action: 'reject' }] }),
    mappingOf({ values: [step, step] }),
    mappingOf({ reasons: [reason, { ...reason, code: 'duplicado' }] }),
    mappingOf({ values: [step, { value: '', action: 'ignore' }, { value: '', action: 'reject' }] }),
  ]
  const answers = await Promise.all(twice.map((mapping) => map(id, mapping)))
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  expect(answers.map((answer) => answer.json().meta.field_errors)).toEqual([
    { values: ['El valor APROBADA está dos veces'] },
    { values: ['El valor APROBADA está dos veces'] },
    { reasons: ['El valor buró está dos veces'] },
    { values: ['El valor (vacío) está dos veces'] },
  ])
  // Another spelling is another value, as it is in the file.
  const other = mappingOf({ values: [step, { value: 'Aprobada', action: 'reject' }], reasons: [] })
  expect((await map(id, other)).status).toBe(200)
})

test('as many values and reasons as a file may have are taken, each of them long', async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(1_000)}`)
  const id = await uploaded(csvOf(texts.map((text) => ['a', text, text])))
  const mapping = mappingOf({
    values: texts.map((value) => ({ value, action: 'reject' })),
    reasons: texts.map((value) => ({ value, code: 'buro' })),
  })
  const answer = await map(id, mapping)
  expect(answer.status, answer.text.slice(0, 500)).toBe(200)
})

test('the example of the guide means the file of the guide', async () => {
  const [, body = ''] = /```json\n(.*?)```/s.exec(readFileSync(join(DOCS, 'conciliacion.md'), 'utf8')) ?? []
  const id = await uploaded(readFileSync(join(DOCS, 'ejemplos/conciliacion-banco.csv'), 'utf8'))
  const answer = await map(id, JSON.parse(body))
  expect(answer.status, answer.text).toBe(200)
})
