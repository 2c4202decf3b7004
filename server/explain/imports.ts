import { type Expression, sql } from 'kysely'
import type { ExplainNode } from '#contract/explain.ts'
import type { Tx } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'
import { factsOf, NOTHING } from './facts.ts'

/** The rows of files by which a lead moved, and that they were undone. The file itself an affiliate does not see. */
export async function importNodesOf(tx: Tx, viewer: Viewer, leadId: number): Promise<ExplainNode[]> {
  const rows = await tx
    .selectFrom('import_row')
    .innerJoin('import', 'import.id', 'import_row.import_id')
    .innerJoin('user as applier', 'applier.id', 'import.applied_by')
    .leftJoin('user as undoer', 'undoer.id', 'import.undone_by')
    .where('lead_id', '=', leadId)
    .where('result', '=', 'applied')
    .select(['import.id', 'row_no', 'file_name', 'sha256', 'applied_at', 'undone_at', 'undo_reason', 'status'])
    .select((eb) => [nameOf(eb.ref('applier.first_name'), eb.ref('applier.last_name')).as('applied_by')])
    .select((eb) => [nameOf(eb.ref('undoer.first_name'), eb.ref('undoer.last_name')).as('undone_by')])
    .orderBy('import.id')
    .execute()
  const isOwn = viewer.role !== 'affiliate'
  return rows.flatMap((row) => {
    const told: ExplainNode = {
      ...{
        ...NOTHING,
        kind: 'import',
        at: row.applied_at ?? '',
        title: `Renglón ${row.row_no} de la conciliación ${row.id}`,
      },
      facts: isOwn
        ? factsOf({ Archivo: row.file_name, 'Huella del archivo': row.sha256?.toString('hex'), Autor: row.applied_by })
        : [],
    }
    if (row.status !== 'undone' || row.undone_at === null) return [told]
    const facts = isOwn ? factsOf({ Autor: row.undone_by, Motivo: row.undo_reason }) : []
    const title = `La conciliación ${row.id} se deshizo: lo que registró se anuló`
    return [told, { ...NOTHING, kind: 'void', at: row.undone_at, title, facts }]
  })
}

const nameOf = (first: Expression<string | null>, last: Expression<string | null>) =>
  sql<string | null>`${first} || ' ' || ${last}`
