import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import type { ImportMapping } from '#contract/import-mapping.ts'
import type { Import } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import { makeStep, makeUser } from '#db/factories.ts'
import { makeLeads, type World } from './clicks/world.ts'

/** Leads that are made with one statement. */
const BATCH = 50_000
const POLL_MS = 250

export const MAPPING: z.input<typeof ImportMapping> = {
  ...{ key: 'tracking_id', key_column: 0, status_column: 1, reason_column: 2 },
  values: [
    { value: 'APROBADA', action: 'step', event_type_id: 3 },
    { value: 'SOLICITUD', action: 'step', event_type_id: 1 },
    { value: 'RECHAZADA', action: 'reject', event_type_id: null },
    { value: 'PENDIENTE', action: 'ignore', event_type_id: null },
  ],
  reasons: [{ value: 'buró', code: 'buro' }],
}

/** Of twenty rows fourteen are approved, two asked for, two rejected, one is ignored and one is of nobody. */
export function* linesOf(ids: readonly string[]): Generator<string> {
  yield 'folio,estado,motivo\r\n'
  const said = (number: number) => {
    if (number < 14) return 'APROBADA,'
    if (number < 16) return 'SOLICITUD,'
    return number < 18 ? 'RECHAZADA,buró' : 'PENDIENTE,'
  }
  let text = ''
  for (const [index, id] of ids.entries()) {
    text += `${index % 20 === 19 ? id.replace(/^./, 'f') : id},${said(index % 20)}\r\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}

type Ground = Pick<World, 'relationships' | 'key' | 'stepId'>

/** Leads of the first link, the steps that a file may name, and the email of a person of their issuer. */
export async function makeReconciled(db: Db, links: Ground, count: number) {
  const [first] = links.relationships
  if (!first) throw new Error('There is no link')
  await makeStep(db, { product_id: first.product_id, event_type_id: 1, name: 'Solicitud' })
  await makeStep(db, { product_id: first.product_id, event_type_id: 4, name: 'Rechazada' })
  const { email } = await makeUser(db, { role: 'issuer', issuerId: first.issuer_id })
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await makeLeads(db, links, Math.min(BATCH, count - ids.length))))
  return { ids, email }
}

/** Calls of the issuer's person about files. */
export class FileClient {
  readonly #port: number
  readonly #bearer: () => Promise<string>

  constructor(port: number, bearer: () => Promise<string>) {
    this.#port = port
    this.#bearer = bearer
  }

  async send(method: string, path: string, body?: object | Readable): Promise<Import> {
    const isFile = body instanceof Readable
    const answer = await fetch(`http://127.0.0.1:${this.#port}/api/v1/imports/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#bearer()}`,
        ...(body && { 'content-type': isFile ? 'text/csv' : 'application/json' }),
      },
      ...(body && { body: isFile ? (Readable.toWeb(body) as ReadableStream) : JSON.stringify(body) }),
      ...(isFile && { duplex: 'half' }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text).data
  }

  async whenDone(id: number): Promise<Import> {
    for (;;) {
      const file = await this.send('GET', `${id}/`)
      if (!file.status.endsWith('ing')) return file
      await wait(POLL_MS)
    }
  }
}
