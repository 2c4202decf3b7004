import type { AuditField } from '#contract/audit-fields.ts'
import type { AuditAction, AuditEntity } from '#contract/audit-log.ts'
import type { Role } from '#contract/roles.ts'
import type { Tx } from '#db/connect.ts'
import type { Impersonator, Reader } from './viewer.ts'

export interface PersonActor {
  role: Role
  userId: number
  name: string
  requestId: string
  address: string
  impersonator?: Impersonator
}

/** Who did it: a person (perhaps just signing in or out), a system with its key, or the product itself. */
export type Actor = Reader | PersonActor | { role: 'system'; name: string; requestId: string; address: string }

/** What the trail shows has a name in contract/audit-fields.ts; a field that is made up while it runs is not known here. */
type Named<Row> = {
  [Field in keyof Row]: Field extends AuditField | Unshown ? unknown : string extends Field ? unknown : never
}
type Unshown = 'updated_at' | `${string}${'password' | 'hash' | 'cipher' | 'token' | 'secret' | 'api_key'}${string}`

interface AuditEvent<Before, After> {
  action: AuditAction
  entity: AuditEntity
  entityId: number | null
  /** The name of the row for people. */
  label?: string
  before?: Before | undefined
  after?: After | undefined
}

const SECRET = /password|hash|cipher|token|secret|api_key/

/** Writes the event in the transaction of the change: both are committed or neither. */
export async function audit<Before extends Named<Before> = object, After extends Named<After> = object>(
  tx: Tx,
  actor: Actor,
  event: AuditEvent<Before, After>,
): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values({
      ...doerOf(actor),
      action: event.action,
      entity: event.entity,
      entity_id: event.entityId,
      label: event.label ?? '',
      changes: JSON.stringify(changesBetween({ ...event.before }, { ...event.after })),
      request_id: actor.requestId,
      address: actor.address,
    })
    .execute()
}

/** Who sees the product as somebody else is not that person. */
function doerOf(actor: Actor) {
  const userId = 'userId' in actor ? actor.userId : null
  const impersonator = 'impersonator' in actor ? actor.impersonator : undefined
  const role = 'keyId' in actor ? `${actor.role}-key` : actor.role
  if (!impersonator) return { actor_id: userId, actor_name: actor.name, actor_role: role }
  return { actor_id: impersonator.id, actor_name: impersonator.name, actor_role: 'admin', on_behalf_of: userId }
}

interface Change<After> {
  entity: AuditEntity
  label: string
  /** The row as it was. */
  before: { id: number }
  /** The fields that were saved. */
  after: After
}

/** That a row was changed: of `before` only what was saved. */
export function auditChange<After extends Named<After>>(
  tx: Tx,
  actor: Actor,
  { entity, label, before, after }: Change<After>,
): Promise<void> {
  const row: Record<string, unknown> = { ...before }
  const old = Object.fromEntries(Object.keys(after).map((field) => [field, row[field]]))
  return audit(tx, actor, { action: 'update', entity, entityId: before.id, label, before: old, after: { ...after } })
}

/** `{field: [before, after]}` of what differs, without secrets and timestamps. */
function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, [unknown, unknown]> {
  const changes: Record<string, [unknown, unknown]> = {}
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (SECRET.test(field) || field === 'updated_at') continue
    const [old, now] = [before[field] ?? null, after[field] ?? null]
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[field] = [old, now]
  }
  return changes
}
