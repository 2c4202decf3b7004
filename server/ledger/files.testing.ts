import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Import, ImportRow } from '#contract/imports.ts'
import { sumAmounts } from '#contract/money.ts'
import type { Funnel } from '../events/testing.ts'
import { at, csvOf, mappingOf, upload } from '../imports/testing.ts'
import { importAndRest } from '../imports/work.ts'
import type { TestAnswer, TestClient, TestServer } from '../testing.ts'
import { expectOk } from './rates.testing.ts'
import type { EventName, Step } from './steps.testing.ts'

const values = [
  { value: 'aprobado', action: 'step' as const, event_type_id: 3 },
  { value: 'entregado', action: 'step' as const, event_type_id: 5 },
  { value: 'rechazado', action: 'reject' as const },
]

type AppliedRow = Pick<ImportRow, 'row_no' | 'outcome'> & { lead: number; type: EventName }

const isRefused = (answer: TestAnswer, ...codes: string[]): boolean => {
  if (answer.status !== 409) expectOk(answer)
  else expect(codes).toContain(answer.json().meta.code)
  return answer.status === 409
}

/** The files of an issuer, applied and undone as people do. */
export class Files {
  readonly #server: TestServer
  readonly #funnel: Funnel
  readonly #admin: TestClient
  readonly applied: number[] = []

  constructor(server: TestServer, funnel: Funnel, admin: TestClient) {
    this.#server = server
    this.#funnel = funnel
    this.#admin = admin
  }

  /** Undefined where it was refused: it is applied already, or arrives together with another. */
  async apply({ rows, restores, attempt }: Step & { kind: 'file' }, leads: { tracking_id: string }[]) {
    const cells = rows.map(({ lead, type }) => [leads[lead]?.tracking_id ?? '', type, ''])
    const query = `&issuer_id=${this.#funnel.issuer.id}`
    const sent = await upload(this.#admin, csvOf(cells, ['folio', 'estado', `motivo ${attempt}`]), { query })
    if (isRefused(sent, 'DUPLICATE_FILE', 'UPLOAD_RUNNING')) return undefined
    const { id } = sent.json().data
    expectOk(await this.#admin.put(at(id, 'mapping/'), mappingOf({ values, restores })))
    expectOk(await this.#admin.post(at(id, 'simulate/')))
    const { simulated_at, outcomes } = await this.#done(id)
    if (isRefused(await this.#admin.post(at(id, 'apply/'), { simulated_at }), 'DUPLICATE_FILE')) return undefined
    await this.#done(id)
    this.applied.push(id)
    return { id, promised: sumAmounts(outcomes.map(({ amount }) => amount)), rows: await this.#rowsOf(id, leads) }
  }

  async #rowsOf(id: number, leads: { tracking_id: string }[]): Promise<AppliedRow[]> {
    const answer = await this.#admin.get(at(id, 'rows/?result=applied'))
    return answer.json().data.results.map(({ row_no, outcome, cells }: ImportRow) => {
      const [tracking_id, type] = cells
      return { row_no, outcome, type, lead: leads.findIndex((lead) => lead.tracking_id === tracking_id) }
    })
  }

  /** Undefined where somebody else undoes it, or has. */
  async undo(index: number) {
    const id = this.applied[index]
    if (id === undefined || isRefused(await this.#admin.post(at(id, 'undo-preview/')), 'IMPORT_STATE')) return undefined
    const { previewed_at, undo, status } = await this.#done(id)
    if (status === 'undone') return undefined
    const body = { reason: 'El banco mandó otro archivo', previewed_at }
    if (isRefused(await this.#admin.post(at(id, 'undo/'), body), 'IMPORT_STATE', 'STALE')) return undefined
    const after = await this.#done(id)
    expect(after.status).toBe('undone')
    return { id, promised: sumAmounts(undo.map(({ amount }) => amount)) }
  }

  /** Works beside the server, which rests between files. */
  async #done(id: number): Promise<Import> {
    for (;;) {
      await importAndRest(this.#server.db)
      const answer = await this.#admin.get(at(id))
      expectOk(answer)
      if (!answer.json().data.status.endsWith('ing')) return answer.json().data
      await wait(5)
    }
  }
}
