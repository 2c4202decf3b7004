import type { AccessRecord } from '#contract/companies.ts'
import { keyWords } from './access.ts'

const accounts: Record<string, string> = {
  create: 'creó la cuenta de',
  delete: 'eliminó la cuenta de',
  reset_password: 'restableció la contraseña de',
  give_link: 'dio un enlace de acceso a',
  view_as: 'vio Afluente como',
  use_link: 'cambió con un enlace la contraseña de',
}

export const actorOf = ({ actor_name, actor_role }: AccessRecord): string =>
  actor_name || (actor_role === 'admin' ? 'Un administrador' : 'Alguien')

/** 'cambió la API key y revocó la anterior de inmediato' */
export function deedOf({ action, entity, kind, person, times, revoked_old, signature_required }: AccessRecord): string {
  if (entity === 'user') return `${accounts[action] ?? 'cambió la cuenta de'} ${person ?? 'alguien'}`
  if (action === 'reveal_key') return times > 1 ? `vio las claves ${times} veces ese día` : 'vio las claves'
  if (action === 'update')
    return signature_required ? 'exigió que los eventos vengan firmados' : 'dejó de exigir la firma de los eventos'
  const { name, old } = keyWords[kind ?? 'api']
  if (action === 'revoke_key') return `revocó ${name} anterior`
  return `cambió ${name}${revoked_old ? ` y revocó ${old} de inmediato` : ''}`
}
