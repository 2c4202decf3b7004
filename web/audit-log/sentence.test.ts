import { expect, test } from 'vitest'
import { sentenceOf } from './sentence.ts'

const said = (action: string, entity: string, label: string, actor_name = 'Ana López') => {
  const { who, did, what } = sentenceOf({ actor_name, action, entity, label })
  return [who, did, what].filter(Boolean).join(' ')
}

test.each([
  ['create', 'product', 'Tarjeta Oro', 'Ana López creó el producto Tarjeta Oro'],
  ['update', 'relationship', 'Lupa – Altaluz', 'Ana López actualizó la relación Lupa – Altaluz'],
  ['delete', 'commission', 'Alta', 'Ana López eliminó la comisión Alta'],
  ['create', 'payment', '2026-10-01 - 2026-10-31', 'Ana López creó el pago del periodo 01/10/2026 - 31/10/2026'],
  ['reorder', 'product', 'Tarjeta Oro', 'Ana López reordenó los pasos de Tarjeta Oro'],
  ['login', 'user', 'Ana López', 'Ana López inició sesión'],
  ['reset_password', 'user', 'Luis Paz', 'Ana López restableció la contraseña de Luis Paz'],
  ['view_as', 'user', 'Luis Paz', 'Ana López empezó a ver Afluente como Luis Paz'],
  ['update', 'security_policy', 'issuer', 'Ana López actualizó la seguridad del rol Emisor'],
  ['rotate_key', 'issuer', 'Altaluz', 'Ana López cambió una clave de Altaluz'],
  ['create', 'commission_entry', '', 'Ana López generó una comisión'],
  ['export', 'payment', 'afluente-pagos-2026-11-21.csv', 'Ana López exportó los pagos afluente-pagos-2026-11-21.csv'],
  ['export', 'commission_entry', 'a.csv', 'Ana López exportó las comisiones devengadas a.csv'],
  ['compensate', 'commission', 'Alta', 'Ana López compensó lo ya ganado con la comisión Alta'],
  ['compensate', 'product', 'Tarjeta Oro', 'Ana López compensó lo ya ganado con la tarifa general de Tarjeta Oro'],
  ['create', 'network_key', 'Almacén', 'Ana López creó la clave de consulta Almacén'],
  ['revoke_key', 'network_key', 'Almacén', 'Ana López revocó la clave de consulta Almacén'],
  ['privacy_erase', 'lead', '01a1', 'Ana López suprimió los datos personales del lead 01a1'],
  ['hold', 'commission_entry', '12', 'Ana López retuvo la comisión 12'],
  ['cancel', 'term', 'Lupa', 'Ana López canceló la condición de Lupa'],
  ['archive', 'user', 'Luis Paz', 'Ana López hizo un cambio en el usuario Luis Paz'],
  ['update', 'invoice', '', 'Ana López actualizó un registro'],
])('%s of %s', (action, entity, label, sentence) => {
  expect(said(action, entity, label)).toBe(sentence)
})

test('nobody in particular is somebody', () => {
  expect(said('login_failed', 'user', '', '')).toBe('Alguien no pudo iniciar sesión')
})
