import type { ExplainNode } from '#contract/explain.ts'
import type { Tx } from '#db/connect.ts'
import { nameFor } from '../parties.ts'
import type { Viewer } from '../viewer.ts'
import { factsOf, NOTHING } from './facts.ts'

/** The rows of files by which a lead moved, and that they were undone. The file itself an affiliate does not see. */
export async function importNodesOf(tx: Tx, viewer: Viewer, leadId: number): Promise<ExplainNode[]> {
  const rows = await tx
    .selectFrom('import_row')
    .innerJoin('import', 'import.id', 'import_row.import_id')
    .where('lead_id', '=', leadId)
    .where('result', '=', 'applied')
    .select(['import.id', 'row_no', 'file_name', 'sha256', 'applied_at', 'undone_at', 'undo_reason', 'status'])
    .select([
      nameFor(viewer, 'import.applied_by').as('applied_by'),
      nameFor(viewer, 'import.undone_by').as('undone_by'),
    ])
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
