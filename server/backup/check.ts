import { connect, type Db } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { findFault, headOf } from '../audit-log/chain.ts'
import { readResultDrift } from '../results/recount.ts'
import { readImbalances } from '../totals/conservation.ts'
import { readDrift } from '../totals/recount.ts'
import { readCounts } from './make.ts'
import type { Counts, Manifest } from './manifest.ts'

const HOUR_MS = 3_600_000
const NAMES = { leads: 'leads', events: 'eventos', entries: 'comisiones', payments: 'pagos' } as const

/** What is wrong with a database that was started on a backup; empty when nothing is. */
export async function findFaults(url: string, manifest: Manifest, say: (text: string) => void): Promise<string[]> {
  await migrate(url)
  const db = connect(url, { max: 1, statementTimeoutMs: HOUR_MS, applicationName: 'afluente backup check' })
  try {
    const counts = await readCounts(db)
    say(
      `${Object.entries(NAMES)
        .map(([key, name]) => `${counts[key as keyof typeof NAMES]} ${name}`)
        .join(', ')}.`,
    )
    return [...missing(manifest, counts), ...(await contradictions(db, manifest, say))]
  } finally {
    await db.destroy()
  }
}

/** Nothing is deleted from these tables: what was there before the copy is in it, and no more than there was after. */
const missing = ({ before, after }: Manifest, counts: Counts): string[] =>
  Object.entries(NAMES).flatMap(([each, name]) => {
    const key = each as keyof typeof NAMES
    if (counts[key] >= before[key] && counts[key] <= after[key]) return []
    return [`La copia tiene ${counts[key]} ${name} y debía tener de ${before[key]} a ${after[key]}.`]
  })

async function contradictions(db: Db, { before }: Manifest, say: (text: string) => void): Promise<string[]> {
  say('Contando de nuevo cada suma…')
  const drift = [...(await readDrift(db)), ...(await readResultDrift(db))]
  const imbalances = await readImbalances(db)
  say('Recorriendo la bitácora…')
  const fault = await findFault(db, before.audit ? headOf(before.audit) : undefined)
  return [
    ...(drift.length ? [`${drift.length} sumas no dicen lo que dicen sus filas.`] : []),
    ...(imbalances.length ? [`${imbalances.length} saldos no cuadran con sus comisiones y pagos.`] : []),
    ...(fault ? [fault] : []),
  ]
}
