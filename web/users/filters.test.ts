import { expect, test } from 'vitest'
import type { User } from '#contract/users.ts'
import { associationOf, exportOf, goTogether, NO_FILTERS, passes, UNASSOCIATED } from './filters.ts'

const user = {
  full_name: 'José Ñúñez',
  email: 'jose@nogalera.mx',
  role: 'affiliate',
  affiliate_id: 7,
  issuer_id: null,
  affiliate_name: 'Nogalera Digital',
  issuer_name: null,
} as User

test.each([
  [{}, true],
  [{ q: 'nunez' }, true],
  [{ q: 'NOGALERA jose' }, true],
  [{ q: 'afiliado' }, true],
  [{ q: 'affiliate' }, true],
  [{ q: 'jose banco' }, false],
  [{ rol: 'affiliate' }, true],
  [{ rol: 'admin' }, false],
  [{ asociacion: 'affiliate-7' }, true],
  [{ asociacion: 'issuer-7' }, false],
  [{ asociacion: UNASSOCIATED }, false],
])('with %j the user is shown: %s', (filters, shown) => {
  expect(passes(user, { ...NO_FILTERS, ...filters })).toBe(shown)
})

test('an association is that of the affiliate, else of the issuer, else none', () => {
  expect(associationOf(user)).toBe('affiliate-7')
  expect(associationOf({ ...user, affiliate_id: null, issuer_id: 3 })).toBe('issuer-3')
  expect(associationOf({ ...user, affiliate_id: null })).toBe(UNASSOCIATED)
})

test.each([
  ['', 'issuer-3', true],
  ['admin', '', true],
  ['admin', UNASSOCIATED, false],
  ['affiliate', 'affiliate-7', true],
  ['affiliate', 'issuer-7', false],
  ['issuer', UNASSOCIATED, true],
])('the role %j and the association %j go together: %s', (role, association, together) => {
  expect(goTogether(role, association)).toBe(together)
})

test.each([
  [{}, { search: '', role: '', association_type: '', association_id: '' }],
  [
    { q: 'ana', rol: 'issuer', asociacion: 'issuer-7' },
    { search: 'ana', role: 'issuer', association_type: 'issuer', association_id: '7' },
  ],
  [{ asociacion: UNASSOCIATED }, { search: '', role: '', association: 'none' }],
])('the export of %j asks for %j', (texts, query) => {
  expect(exportOf({ ...NO_FILTERS, ...texts })).toEqual(query)
})
