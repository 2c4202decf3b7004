import { sql } from 'kysely'
import type { Role } from '#contract/roles.ts'
import type { Tx } from '#db/connect.ts'
import type { Viewer } from './viewer.ts'

/** Who did it: a person (perhaps just signing in or out), an issuer's system with its key, or the product itself. */
export type Actor =
  | Viewer
  | { role: 'issuer-key'; issuerId: number; name: string; requestId: string; address: string }
  | { role: Role; userId: number; name: string; requestId: string; address: string }
  | { role: 'system'; name: string; requestId: string; address: string }

export interface AuditEvent {
  /** create, update, delete, login… */
  action: string
  entity: string
  entityId: number | null
  /** What the row is called for people. */
  label?: string
  before?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
}

const SECRET = /password|hash|cipher|token|secret|api_key/

/** Writes what happened in the transaction in which it happened: both are kept or neither. */
export const audit = (tx: Tx, actor: Actor, event: AuditEvent): Promise<void> => auditAll(tx, [[actor, event]])

/** One statement, the same however many there are. */
export async function auditAll(tx: Tx, happened: readonly (readonly [Actor, AuditEvent])[]): Promise<void> {
  await sql`
    insert into audit_entry
      (actor_id, actor_name, actor_role, action, entity, entity_id, label, changes, request_id, address)
    select actor_id, actor_name, actor_role, action, entity, entity_id, label, changes, request_id, address
    from json_to_recordset(${JSON.stringify(happened.map(rowOf))}::json) as entry (
      place int, actor_id bigint, actor_name text, actor_role text, action text, entity text, entity_id bigint,
      label text, changes jsonb, request_id text, address text)
    order by place`.execute(tx)
}

const rowOf = ([actor, event]: readonly [Actor, AuditEvent], place: number) => ({
  place,
  actor_id: 'userId' in actor ? actor.userId : null,
  actor_name: actor.name,
  actor_role: actor.role,
  action: event.action,
  entity: event.entity,
  entity_id: event.entityId,
  label: event.label ?? '',
  changes: changesBetween(event.before ?? {}, event.after ?? {}),
  request_id: actor.requestId,
  address: actor.address,
})

/** `{field: [before, after]}` of what differs; secrets and bookkeeping left out. */
export function changesBetween(
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
