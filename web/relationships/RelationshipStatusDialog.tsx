import { type Relationship, relationships } from '#contract/relationships.ts'
import { call } from '#web/api/client.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { StatusDialog } from '#web/table/StatusDialog.tsx'
import type { StatusChange } from '#web/table/status-actions.ts'
import type { Selection } from '#web/table/use-selection.ts'
import { nameOf, relationshipNouns } from './names.ts'
import { RelationshipBalance } from './RelationshipBalance.tsx'

interface Props extends StatusChange<Relationship> {
  selection: Selection
  onClose: () => void
}

export const RelationshipStatusDialog = (props: Props) => (
  <StatusDialog
    {...props}
    nouns={relationshipNouns}
    nameOf={nameOf}
    statusOf={(relationship) => relationship.relationship_status}
    save={(body) => call(relationships.setStatus, { body })}
    refreshes={refreshedBy.relationship}
  >
    {props.status === 'active' ? (
      'Sus enlaces funcionan de nuevo.'
    ) : (
      <>
        Sus enlaces dejan de funcionar hasta que se activen.
        <RelationshipBalance
          ids={props.rows.filter((row) => row.relationship_status === 'active').map(({ id }) => id)}
        />
      </>
    )}
  </StatusDialog>
)
