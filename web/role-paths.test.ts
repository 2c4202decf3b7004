import { expect, test } from 'vitest'
import { belongsTo, dashboardOf } from './role-paths.ts'

test.each([
  ['admin', '/app/admin/dashboard'],
  ['issuer', '/app/issuer/dashboard'],
  ['affiliate', '/app/affiliate/dashboard'],
  ['owner', '/app/dashboard'],
  [undefined, '/app/dashboard'],
])('the dashboard of %j is %s', (role, path) => {
  expect(dashboardOf(role)).toBe(path)
})

test.each([
  ['/app/admin/leads', 'admin', true],
  ['/app/admin/leads/', 'admin', true],
  ['/app/admin/leads', 'issuer', false],
  ['/app/admin/nothing', 'admin', false],
  ['/app/unauthorized', 'admin', false],
  ['/app/admin/leads', undefined, false],
])('%s belongs to %j: %j', (path, role, expected) => {
  expect(belongsTo(path, role)).toBe(expected)
})
