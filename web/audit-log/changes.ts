import { auditFields } from '#contract/audit-fields.ts'
import { entryKindLabels, entryStateLabels, standingLabels } from '#contract/commission-entries.ts'
import { keyLabels } from '#contract/companies.ts'
import { deliveryStateLabels, occurrenceLabels } from '#contract/deliveries.ts'
import { dutyLabels } from '#contract/duties.ts'
import { eventTypeNames } from '#contract/event-steps.ts'
import { statusLabels } from '#contract/fields.ts'
import { undoOutcomeLabels } from '#contract/import-undo.ts'
import { importOutcomeLabels, importResultLabels } from '#contract/imports.ts'
import { keyScopeLabels } from '#contract/key-scopes.ts'
import { leadStateLabels } from '#contract/leads.ts'
import { paymentStatusLabels } from '#contract/payments.ts'
import { roleLabels } from '#contract/roles.ts'
import { factorKindLabels } from '#contract/second-factors.ts'
import { factorRuleLabels } from '#contract/security-policy.ts'
import { userStatusLabels } from '#contract/users.ts'
import { validationLabels } from '#contract/validation.ts'
import { wordName } from '#contract/words.ts'
import { formatDate, formatMoney } from '#web/ui/format.ts'

/** What stands under 'noun.field', else under the field alone. */
const wordOf = <Word>(words: Record<string, Word>, field: string, entity: string): Word | undefined =>
  words[`${entity}.${field}`] ?? words[field]

/** A reordering names each step by its id: 'step_12'. */
export const fieldName = (field: string, entity = ''): string =>
  wordOf(auditFields, field, entity) ?? field.replace(/^step_(\d+)$/, 'Orden del paso $1')

const MONEY = [
  'payout',
  'announced',
  'default_payout',
  'default_announced',
  'amount',
  'total_amount',
  'calculated_amount',
]
/** What the values of a field are called; a paid payment is 'Pagado', a paid commission 'Pagada'. */
const values: Record<string, Record<string, string>> = {
  user_status: userStatusLabels,
  product_status: statusLabels,
  relationship_status: statusLabels,
  payment_status: paymentStatusLabels,
  status: statusLabels,
  state: entryStateLabels,
  'lead.state': leadStateLabels,
  'receiver.state': deliveryStateLabels,
  standing: standingLabels,
  role: roleLabels,
  duty: dutyLabels,
  second_factor: factorRuleLabels,
  factor: { ...factorKindLabels, recovery: 'Código de recuperación' },
  association: { none: 'Sin empresa' },
  association_type: roleLabels,
  kind: keyLabels,
  'adjustment.kind': entryKindLabels,
  scope: keyScopeLabels,
  validation: validationLabels,
  outcome: importOutcomeLabels,
  result: importResultLabels,
  undo: undoOutcomeLabels,
  types: occurrenceLabels,
  event_types: Object.fromEntries(eventTypeNames.map((name, index) => [index + 1, wordName('eventType', name)])),
  dimension: auditFields,
  by: { value: 'Valor', day: 'Día' },
  purpose: { invite: 'Invitación', reset: 'Otra contraseña' },
  delivered: { mail: 'Por correo', shown: 'Mostrado a quien lo pidió' },
}
/** Fields whose values are machine words, where they are not what somebody wrote. */
const words = { reason: 'failure', source: 'source', event_type_name: 'eventType' } as const
const hasWords = (field: string): field is keyof typeof words => Object.hasOwn(words, field)

/** A value as people read it; undefined where there is none. */
export function valueText(field: string, value: unknown, entity = ''): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  if (Array.isArray(value)) return listText(field, value, entity)
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const labels = wordOf(values, field, entity)
  if (labels) return labels[text] ?? text
  if (hasWords(field)) return wordName(words[field], text)
  if (field === 'fields')
    return text
      .split(', ')
      .map((name) => fieldName(name))
      .join(', ')
  if (MONEY.includes(field)) return formatMoney(text)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDate(text, 'day') ?? text
  if (/^\d{4}-\d{2}-\d{2}T.*Z$/.test(text)) return formatDate(text, 'dayTime') ?? text
  return text
}

/** Words, or what was counted under each. */
function listText(field: string, list: unknown[], entity: string): string {
  const isCounted = list.some((part) => typeof part === 'object')
  const countedText = (part: object) =>
    Object.entries(part)
      .map(([name, value]) => `${fieldName(name, entity)}: ${valueText(name, value, entity) ?? '-'}`)
      .join(', ')
  return isCounted
    ? list.map((part) => countedText(Object(part))).join('; ')
    : list.map((part) => valueText(field, part, entity)).join(', ')
}
