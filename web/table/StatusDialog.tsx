import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BulkOutcome, StatusForm } from '#contract/bulk.ts'
import type { Status } from '#contract/fields.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { BulkResult } from './BulkResult.tsx'
import { countOf, type Nouns } from './nouns.ts'
import type { StatusChange } from './status-actions.ts'
import { useBulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

interface Props<Row> extends StatusChange<Row> {
  nouns: Nouns
  selection: Selection
  statusOf: (row: Row) => Status
  nameOf: (row: Row) => string
  save: (form: StatusForm) => Promise<BulkOutcome[]>
  refreshes: readonly QueryKey[]
  onClose: () => void
  /** What it means for the world outside. */
  children: ReactNode
}

/** Activates or deactivates the chosen rows, after it has said what that does. */
export function StatusDialog<Row extends { id: number }>({
  rows,
  status,
  nouns,
  statusOf,
  nameOf,
  ...rest
}: Props<Row>) {
  const { save, refreshes, selection, onClose, children } = rest
  const { run, isPending, result } = useBulk({ save, refreshes, nouns, selection, onDone: onClose })
  const changed = rows.filter((row) => statusOf(row) !== status)
  const already = rows.length - changed.length
  const [verb, participle] =
    status === 'active' ? (['Activar', 'activ'] as const) : (['Desactivar', 'inactiv'] as const)
  const nameIn = (id: number) => {
    const row = rows.find((each) => each.id === id)
    return row ? nameOf(row) : id
  }
  if (result && result.failed.length > 0)
    return (
      <BulkResult
        result={result}
        nameOf={nameIn}
        busy={isPending}
        onRetry={(ids) => run({ ids, status })}
        onClose={onClose}
      />
    )
  if (changed.length === 0)
    return (
      <ConfirmDialog title={`${verb} ${nouns.many}`} confirm="Entendido" onConfirm={onClose} onClose={onClose}>
        Nada cambiaría: {wasText(already, participle, nouns)}.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title={`${verb} ${nouns.many}`}
      confirm={`${verb} ${countOf(changed.length, nouns)}`}
      busy={isPending}
      busyText={status === 'active' ? 'Activando...' : 'Desactivando...'}
      onConfirm={() => run({ ids: changed.map(({ id }) => id), status })}
      onClose={onClose}
    >
      {children}
      {already > 0 && <p className="mt-2">{`${formatNumber(already)} ${wasText(already, participle, nouns)}.`}</p>}
    </ConfirmDialog>
  )
}

/** 'ya estaban activas' */
const wasText = (count: number, participle: string, { the }: Nouns): string =>
  `${count === 1 ? 'ya estaba' : 'ya estaban'} ${participle}${the === 'las' ? 'a' : 'o'}${count === 1 ? '' : 's'}`
