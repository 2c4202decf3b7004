import type { AuditEntry } from '#contract/metrics.ts'
import { type Role, roleLabels } from '#contract/roles.ts'
import { formatDate } from '#web/ui/format.ts'

type Entry = Pick<AuditEntry, 'actor_name' | 'action' | 'entity' | 'label'>

/** 'Ana López' 'actualizó el producto' 'Tarjeta Oro'; the names stand out on the screen. */
interface Sentence {
  who: string
  did: string
  what: string
}

const nouns: Record<string, string> = {
  user: 'el usuario',
  affiliate: 'el afiliado',
  issuer: 'el emisor',
  relationship: 'la relación',
  product: 'el producto',
  event_step: 'el paso',
  commission: 'la comisión',
  payment: 'el pago del periodo',
  dashboard: 'el dashboard',
  term: 'la condición de',
  reject_reason: 'el motivo de rechazo',
  import: 'la conciliación',
  receiver: 'la dirección de avisos',
  security_policy: 'la seguridad del rol',
}

const verbs: Record<string, string> = { create: 'creó', update: 'actualizó', delete: 'eliminó' }

/** Actions that verb and noun alone do not describe. */
const phrases: Record<string, string> = {
  'reveal_key receiver': 'vio el secreto de',
  'rotate_key receiver': 'cambió el secreto de',
  'pause receiver': 'puso en pausa los avisos a',
  'resume receiver': 'reanudó los avisos a',
  'replay receiver': 'reenvió entregas a',
  'create lead_event': 'registró el evento',
  'create commission_entry': 'generó una comisión',
  'reverse commission_entry': 'revirtió una comisión',
  'reorder product': 'reordenó los pasos de',
  'reset_password user': 'restableció la contraseña de',
  'remove_factors user': 'quitó los segundos factores de',
  'give_link user': 'dio un enlace de acceso a',
  'view_as user': 'empezó a ver Afluente como',
  'end_view user': 'dejó de ver Afluente como',
  'end_sessions user': 'cerró las sesiones de',
  'reveal_key issuer': 'consultó las claves de',
  'reveal_key affiliate': 'consultó las claves de',
  'rotate_key issuer': 'cambió una clave de',
  'rotate_key affiliate': 'cambió una clave de',
  'privacy_access lead': 'consultó los datos personales del lead',
  'privacy_correct lead': 'rectificó los datos personales del lead',
  'privacy_erase lead': 'suprimió los datos personales del lead',
  'reject lead': 'rechazó el lead',
  'restore lead': 'reactivó el lead',
  'approve commission_entry': 'aprobó',
  'create import': 'subió la conciliación',
  'apply import': 'aplicó la conciliación',
  'undo import': 'deshizo la conciliación',
  'delete import': 'descartó la conciliación',
  'export import': 'exportó los renglones de la conciliación',
  'hold commission_entry': 'retuvo la comisión',
  'release commission_entry': 'liberó la comisión',
  'create adjustment': 'registró el movimiento',
  'void adjustment': 'anuló el movimiento',
  'cancel term': 'canceló la condición de',
  'revoke_key issuer': 'revocó una clave anterior de',
  'revoke_key affiliate': 'revocó una clave anterior de',
  'export lead': 'exportó los leads',
  'export payment': 'exportó los pagos',
  'export affiliate': 'exportó los afiliados',
  'export issuer': 'exportó los emisores',
  'export user': 'exportó los usuarios',
  'export relationship': 'exportó las relaciones',
  'export product': 'exportó los productos',
  'export event_step': 'exportó los pasos',
  'export commission': 'exportó las comisiones',
  'export report': 'exportó una tabla de los tableros,',
}

/** Actions on oneself: the label only repeats the name. */
const alone: Record<string, string> = {
  login: 'inició sesión',
  login_failed: 'no pudo iniciar sesión',
  logout: 'cerró sesión',
  change_password: 'cambió su contraseña',
  use_link: 'eligió su contraseña con un enlace',
  add_factor: 'registró un segundo factor',
  remove_factor: 'quitó un segundo factor',
  renew_codes: 'pidió códigos de recuperación nuevos',
  elevate: 'confirmó quién es',
  end_session: 'cerró una de sus sesiones',
}

export function sentenceOf({ actor_name, action, entity, label }: Entry): Sentence {
  const who = actor_name || 'Alguien'
  const own = alone[action]
  if (own) return { who, did: own, what: '' }
  const verb = verbs[action] ?? 'hizo un cambio en'
  const did = phrases[`${action} ${entity}`] ?? `${verb} ${nouns[entity] ?? 'un registro'}`
  return { who, did, what: whatOf(entity, action, label) }
}

function whatOf(entity: string, action: string, label: string): string {
  if (entity === 'security_policy') return roleLabels[label as Role] ?? label
  return entity === 'payment' && action !== 'export' ? periodOf(label) : label
}

/** A payment is called by its days, as ISO dates. */
const periodOf = (label: string): string =>
  label.replace(/\d{4}-\d{2}-\d{2}/g, (date) => formatDate(date, 'day') ?? date)
