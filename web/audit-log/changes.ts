import { entryStateLabels } from '#contract/commission-entries.ts'
import { keyLabels } from '#contract/companies.ts'
import { dutyLabels } from '#contract/duties.ts'
import { statusLabels } from '#contract/fields.ts'
import { paymentStatusLabels } from '#contract/payments.ts'
import { roleLabels } from '#contract/roles.ts'
import { factorRuleLabels } from '#contract/security-policy.ts'
import { userStatusLabels } from '#contract/users.ts'
import { wordName } from '#contract/words.ts'
import { formatDate, formatMoney } from '#web/ui/format.ts'

const fields: Record<string, string> = {
  company_name: 'Empresa',
  rfc: 'RFC',
  address: 'Dirección',
  contact_name: 'Contacto',
  contact_phone: 'Teléfono',
  contact_email: 'Email de contacto',
  url: 'Sitio web',
  user_status: 'Estado',
  email: 'Email',
  first_name: 'Nombre',
  last_name: 'Apellido',
  role: 'Rol',
  duty: 'Perfil',
  second_factor: 'Verificación en dos pasos',
  grace_days: 'Días de gracia',
  replaces_given: 'Exige cambiar la contraseña que puso otra persona',
  suspended_by_company: 'Suspendido por su empresa',
  affiliate_id: 'ID del afiliado',
  issuer_id: 'ID del emisor',
  product_id: 'ID del producto',
  relationship_id: 'ID de la relación',
  event_type_id: 'ID del tipo de evento',
  name: 'Nombre',
  description: 'Descripción',
  redirect_url: 'URL de redirección',
  iframe_url: 'Dirección del dashboard',
  product_status: 'Estado',
  relationship_status: 'Estado',
  notes: 'Notas',
  note: 'Nota',
  step_order: 'Orden',
  is_payout_event: 'Genera comisión',
  payout: 'Comisión',
  announced: 'Monto programado',
  default_payout: 'Tarifa general',
  default_announced: 'Tarifa general programada',
  event_step_id: 'ID del paso',
  valid_from: 'A partir de',
  amount: 'Monto',
  state: 'Estado',
  reason: 'Motivo',
  reason_code: 'Código del motivo',
  reversal_of: 'Revierte la comisión',
  period_start: 'Inicio del periodo',
  period_end: 'Fin del periodo',
  total_leads: 'Leads',
  total_conversions: 'Conversiones',
  total_amount: 'Monto total',
  calculated_amount: 'Comisiones calculadas',
  adjustment_reason: 'Motivo del ajuste',
  cancel_reason: 'Motivo de la cancelación',
  paid_at: 'Se pagó por primera vez',
  payment_status: 'Estado',
  payment_date: 'Fecha de pago',
  folio: 'Folio',
  fields: 'Campos',
  events: 'Eventos',
  receipts: 'Avisos de recepción',
  rejected: 'Eventos rechazados',
  format: 'Formato',
  search: 'Búsqueda',
  ordering: 'Orden',
  affiliate: 'ID del afiliado',
  issuer: 'ID del emisor',
  product: 'ID del producto',
  relationship: 'ID de la relación',
  event_type_name: 'Tipo de evento',
  event_data: 'Datos del evento',
  source: 'Fuente',
  tracking_id: 'Tracking ID',
  external_id: 'External ID',
  utm_source: 'UTM Source',
  utm_medium: 'UTM Medium',
  utm_campaign: 'UTM Campaign',
  utm_term: 'UTM Term',
  utm_content: 'UTM Content',
  from: 'Desde',
  to: 'Hasta',
  year: 'Año',
  month: 'Mes',
  purpose: 'Motivo del enlace',
  delivered: 'Entrega',
  kind: 'Clave',
  revoked_old: 'La anterior dejó de valer',
}

/** A reordering names each step by its id: 'step_12'. */
export const fieldName = (field: string): string => fields[field] ?? field.replace(/^step_(\d+)$/, 'Orden del paso $1')

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
  state: entryStateLabels,
  role: roleLabels,
  duty: dutyLabels,
  second_factor: factorRuleLabels,
  kind: keyLabels,
  purpose: { invite: 'Invitación', reset: 'Otra contraseña' },
  delivered: { mail: 'Por correo', shown: 'Mostrado a quien lo pidió' },
}
/** Fields whose values are machine words, where they are not what somebody wrote. */
const words = { reason: 'failure', source: 'source', event_type_name: 'eventType' } as const
const hasWords = (field: string): field is keyof typeof words => Object.hasOwn(words, field)

/** A value as people read it; undefined where there is none. */
export function valueText(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const labels = values[field]
  if (labels) return labels[text] ?? text
  if (hasWords(field)) return wordName(words[field], text)
  if (MONEY.includes(field)) return formatMoney(text)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDate(text, 'day') ?? text
  if (/^\d{4}-\d{2}-\d{2}T.*Z$/.test(text)) return formatDate(text, 'dayTime') ?? text
  return text
}
