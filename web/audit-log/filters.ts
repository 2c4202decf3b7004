import { auditActions, auditEntities } from '#contract/audit-log.ts'
import { isDay, isId, isOneOf, pageOf } from '#web/table/address.ts'
import { byLabel, type Option, optionsOf } from '#web/ui/option.ts'

const ALL = 'todo'

/** The filters as the address holds them, with their defaults. */
export const NO_FILTERS = { persona: '', entidad: ALL, accion: ALL, desde: '', hasta: '', pagina: '1' }
export type AuditFilterTexts = typeof NO_FILTERS

const all = (label: string): Option => ({ value: ALL, label })

export const actionOptions = [all('Todas las acciones'), ...optionsOf(auditActions).sort(byLabel)]
export const entityOptions = [all('Todas las entidades'), ...optionsOf(auditEntities).sort(byLabel)]

/** The query for the server; a typed address may hold anything, so invalid values are dropped. */
export const queryOf = ({ persona, entidad, accion, desde, hasta, pagina }: AuditFilterTexts) => ({
  actor_id: isId(persona) ? persona : '',
  entity: isOneOf(auditEntities, entidad) ? (entidad as keyof typeof auditEntities) : '',
  action: isOneOf(auditActions, accion) ? (accion as keyof typeof auditActions) : '',
  from: isDay(desde) ? desde : '',
  to: isDay(hasta) ? hasta : '',
  page: String(pageOf(pagina)),
})
export type AuditQuery = ReturnType<typeof queryOf>
