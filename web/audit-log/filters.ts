import { auditActions, auditEntities } from '#contract/audit-log.ts'
import type { Option } from '#web/ui/option.ts'

const ALL = 'todo'

/** The filters as the address holds them, with their defaults. */
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

/** The query for the server; a typed address may hold anything, so invalid values are dropped. */
export const queryOf = ({ persona, entidad, accion, desde, hasta, pagina }: AuditFilterTexts) => ({
  actor_id: /^[1-9]\d{0,14}$/.test(persona) ? persona : '',
  entity: Object.hasOwn(auditEntities, entidad) ? (entidad as keyof typeof auditEntities) : '',
  action: Object.hasOwn(auditActions, accion) ? (accion as keyof typeof auditActions) : '',
  from: isDay(desde) ? desde : '',
  to: isDay(hasta) ? hasta : '',
  page: /^[1-9]\d{0,4}$/.test(pagina) ? pagina : '1',
})
export type AuditQuery = ReturnType<typeof queryOf>
