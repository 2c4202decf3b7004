import { auditActions, auditEntities } from '#contract/audit-log.ts'
import type { Option } from '#web/ui/option.ts'

const ALL = 'todo'

/** As the address holds them; these leave the address. */
export const NO_FILTERS = { persona: '', entidad: ALL, accion: ALL, desde: '', hasta: '', pagina: '1' }
export type AuditFilterTexts = typeof NO_FILTERS

const all = (label: string): Option => ({ value: ALL, label })
const optionsOf = (labels: Record<string, string>): Option[] =>
  Object.entries(labels)
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label, 'es-MX'))

export const actionOptions = [all('Todas las acciones'), ...optionsOf(auditActions)]
export const entityOptions = [all('Todas las entidades'), ...optionsOf(auditEntities)]

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** What of the address the server can be asked for; an address that somebody typed may hold anything. */
export const queryOf = ({ persona, entidad, accion, desde, hasta, pagina }: AuditFilterTexts) => ({
  actor_id: /^[1-9]\d{0,14}$/.test(persona) ? persona : '',
  entity: Object.hasOwn(auditEntities, entidad) ? (entidad as keyof typeof auditEntities) : '',
  action: Object.hasOwn(auditActions, accion) ? (accion as keyof typeof auditActions) : '',
  from: isDay(desde) ? desde : '',
  to: isDay(hasta) ? hasta : '',
  page: /^[1-9]\d{0,4}$/.test(pagina) ? pagina : '1',
})
export type AuditQuery = ReturnType<typeof queryOf>
