import type { AuditAction, AuditEntity } from '#contract/audit-log.ts'
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

const nouns: Record<AuditEntity, string> = {
  user: 'el usuario',
  affiliate: 'el afiliado',
  issuer: 'el emisor',
  relationship: 'la relación',
  product: 'el producto',
  event_step: 'el paso',
  lead: 'el lead',
  lead_event: 'el evento',
  commission: 'la comisión',
  commission_entry: 'la comisión',
  adjustment: 'el movimiento',
  payment: 'el pago del periodo',
  dashboard: 'el dashboard',
  report: 'el reporte',
  term: 'la condición de',
  reject_reason: 'el motivo de rechazo',
  import: 'la conciliación',
  receiver: 'la dirección de avisos',
  security_policy: 'la seguridad del rol',
  network_key: 'la clave de consulta',
}

/** Actions on oneself: the label only repeats the name. */
const alone = {
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
} as const satisfies Partial<Record<AuditAction, string>>

/** Before a name that needs no noun. */
const direct = {
  reorder: 'reordenó los pasos de',
  reset_password: 'restableció la contraseña de',
  remove_factors: 'quitó los segundos factores de',
  give_link: 'dio un enlace de acceso a',
  view_as: 'empezó a ver Afluente como',
  end_view: 'dejó de ver Afluente como',
  end_sessions: 'cerró las sesiones de',
  reveal_key: 'consultó las claves de',
  rotate_key: 'cambió una clave de',
  revoke_key: 'revocó una clave anterior de',
  privacy_access: 'consultó los datos personales del lead',
  privacy_correct: 'rectificó los datos personales del lead',
  privacy_erase: 'suprimió los datos personales del lead',
  approve: 'aprobó',
  pause: 'puso en pausa los avisos a',
  resume: 'reanudó los avisos a',
  replay: 'reenvió entregas a',
} as const satisfies Partial<Record<AuditAction, string>>

/** Before a noun and a name. */
const verbs: Record<Exclude<AuditAction, keyof typeof alone | keyof typeof direct>, string> = {
  create: 'creó',
  update: 'actualizó',
  delete: 'eliminó',
  export: 'exportó',
  reject: 'rechazó',
  restore: 'reactivó',
  apply: 'aplicó',
  undo: 'deshizo',
  cancel: 'canceló',
  hold: 'retuvo',
  release: 'liberó',
  void: 'anuló',
  compensate: 'compensó lo ya ganado con',
}

/** What those alone do not describe. */
const phrases: Record<string, string> = {
  'reveal_key receiver': 'vio el secreto de',
  'rotate_key receiver': 'cambió el secreto de',
  'revoke_key network_key': 'revocó la clave de consulta',
  'create lead_event': 'registró el evento',
  'create commission_entry': 'generó una comisión',
  'reverse commission_entry': 'revirtió una comisión',
  'create adjustment': 'registró el movimiento',
  'compensate product': 'compensó lo ya ganado con la tarifa general de',
  'create import': 'subió la conciliación',
  'delete import': 'descartó la conciliación',
  'export import': 'exportó los renglones de la conciliación',
  'export lead': 'exportó los leads',
  'export payment': 'exportó los pagos',
  'export affiliate': 'exportó los afiliados',
  'export issuer': 'exportó los emisores',
  'export user': 'exportó los usuarios',
  'export relationship': 'exportó las relaciones',
  'export product': 'exportó los productos',
  'export event_step': 'exportó los pasos',
  'export commission': 'exportó las comisiones',
  'export commission_entry': 'exportó las comisiones devengadas',
  'export report': 'exportó una tabla de los tableros,',
}

export function sentenceOf({ actor_name, action, entity, label }: Entry): Sentence {
  const who = actor_name || 'Alguien'
  const own = wordOf(alone, action)
  if (own) return { who, did: own, what: '' }
  const deed = `${wordOf(verbs, action) ?? 'hizo un cambio en'} ${wordOf(nouns, entity) ?? 'un registro'}`
  const did = phrases[`${action} ${entity}`] ?? wordOf(direct, action) ?? deed
  return { who, did, what: whatOf(entity, action, label) }
}

/** Of a newer server there may be none. */
const wordOf = (words: Record<string, string>, word: string): string | undefined => words[word]

function whatOf(entity: string, action: string, label: string): string {
  if (entity === 'security_policy') return roleLabels[label as Role] ?? label
  return entity === 'payment' && action !== 'export' ? periodOf(label) : label
}

/** A payment is called by its days, as ISO dates. */
const periodOf = (label: string): string =>
  label.replace(/\d{4}-\d{2}-\d{2}/g, (date) => formatDate(date, 'day') ?? date)
