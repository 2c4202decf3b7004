import { CircleCheck, CircleOff } from 'lucide-react'
import type { Status } from '#contract/fields.ts'
import type { BulkAction } from './use-choosing.ts'

/** Rows that are to be active, or not. */
export interface StatusChange<Row> {
  rows: readonly Row[]
  status: Status
}

/** `disabledReason`: why this person may change none. */
export const statusActions = <Row>(
  open: (change: StatusChange<Row>) => void,
  disabledReason: string | undefined,
): BulkAction<Row>[] => [
  { label: 'Activar', icon: CircleCheck, onClick: (rows) => open({ rows, status: 'active' }), disabledReason },
  { label: 'Desactivar', icon: CircleOff, onClick: (rows) => open({ rows, status: 'inactive' }), disabledReason },
]
