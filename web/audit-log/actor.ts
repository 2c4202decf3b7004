import type { AuditRecord } from '#contract/audit-log.ts'
import { roleLabels } from '#contract/roles.ts'
import { roleOf } from '#web/role-paths.ts'

const systems: Record<string, string> = {
  'admin-key': 'Clave de la red',
  'affiliate-key': 'Clave del afiliado',
  'issuer-key': 'Clave del emisor',
  system: 'Sistema',
}

type Actor = Pick<AuditRecord, 'actor_name' | 'actor_role'>

/** 'Administrador', 'Clave del emisor' */
export function kindOf({ actor_role }: Actor): string {
  const role = roleOf(actor_role)
  return role ? roleLabels[role] : (systems[actor_role] ?? actor_role)
}

/** 'Ana López (Administrador)' */
export const actorOf = (actor: Actor): string =>
  actor.actor_name ? `${actor.actor_name} (${kindOf(actor)})` : kindOf(actor)
