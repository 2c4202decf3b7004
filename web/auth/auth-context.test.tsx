import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { nameOf, useAuth } from './auth-context.tsx'

function Probe() {
  return <>{useAuth().signedIn}</>
}

test('the auth context may not be used outside of its provider', () => {
  expect(() => renderToString(<Probe />)).toThrow('useAuth debe usarse dentro de AuthProvider')
})

test.each([
  [{ email: 'ana@mail.com', full_name: 'Ana Paz', first_name: 'Ana' }, 'Ana Paz'],
  [{ email: 'ana@mail.com', full_name: '', first_name: 'Ana' }, 'Ana'],
  [{ email: 'ana@mail.com', full_name: '', first_name: '' }, 'ana@mail.com'],
  [null, ''],
])('%j is called %j', (user, name) => {
  expect(nameOf(user)).toBe(name)
})
