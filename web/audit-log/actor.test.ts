import { expect, test } from 'vitest'
import { actorOf } from './actor.ts'

test.each([
  ['Ana López', 'admin', 'Ana López (Administrador)'],
  ['Ana López', 'issuer', 'Ana López (Emisor)'],
  ['', 'admin', 'Administrador'],
  ['', 'system', 'Sistema'],
  ['', 'issuer-key', 'Clave del emisor'],
  ['', 'affiliate-key', 'Clave del afiliado'],
  ['', 'admin-key', 'Clave de la red'],
  ['', 'robot', 'robot'],
])('%j of the role %s reads %j', (actor_name, actor_role, text) =>
  expect(actorOf({ actor_name, actor_role })).toBe(text),
)
