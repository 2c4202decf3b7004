import { expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import type { Role } from '#contract/roles.ts'
import { pathOfNotice } from './notices.ts'

const to = (role: Role, type: Notice['type'], of: Partial<Notice> = {}) =>
  pathOfNotice(
    {
      ...{ id: 1, type, text: '', payment: null, lead: null, issuer: null },
      ...{ created_at: '2025-03-04T18:00:00Z', is_read: false, ...of },
    },
    role,
  )

test.each([
  ['affiliate', 'commission.accrued', {}, '/app/affiliate/commissions'],
  ['affiliate', 'commission.reversed', {}, '/app/affiliate/commissions'],
  ['affiliate', 'commission.reversed', { lead: 5 }, '/app/affiliate/leads?lead=5'],
  ['affiliate', 'lead.rejected', {}, '/app/affiliate/leads?state=rejected'],
  ['affiliate', 'hold.opened', {}, '/app/affiliate/commissions?situacion=held'],
  ['affiliate', 'hold.released', {}, '/app/affiliate/commissions'],
  ['admin', 'hold.opened', { lead: 5 }, '/app/admin/leads?lead=5'],
  ['admin', 'hold.opened', {}, '/app/admin/audit?accion=hold'],
  ['admin', 'hold.released', {}, '/app/admin/audit?accion=release'],
  ['affiliate', 'payment.created', { payment: 7 }, '/app/affiliate/payments?pago=7'],
  ['issuer', 'payment.paid', { payment: 7 }, '/app/issuer/payments?pago=7'],
  ['affiliate', 'payment.cancelled', {}, '/app/affiliate/payments'],
  ['affiliate', 'commission.changed', { issuer: 3 }, '/app/affiliate/products?emisor=3'],
  ['affiliate', 'term.changed', {}, '/app/affiliate/products'],
  ['affiliate', 'product.paused', { issuer: 3 }, '/app/affiliate/products'],
  ['affiliate', 'product.resumed', { issuer: 3 }, '/app/affiliate/products?emisor=3'],
  ['affiliate', 'relationship.ended', {}, '/app/affiliate/issuers'],
  ['issuer', 'issuer.silent', { issuer: 3 }, '/app/issuer/integration'],
  ['issuer', 'events.refused', { issuer: 3 }, '/app/issuer/integration'],
  ['admin', 'issuer.silent', { issuer: 3 }, '/app/admin/leads?issuer_id=3'],
  ['issuer', 'key.rotated', {}, '/app/issuer/settings'],
  ['admin', 'access.asked', {}, '/app/admin/users'],
  ['affiliate', 'device.new', {}, '/app/affiliate/settings'],
  // Of a server that is newer than the screen.
  ['issuer', 'something.else', {}, '/app/issuer/dashboard'],
] as const)('to the %s %s of %j leads to %s', (role, type, of, path) => {
  expect(to(role, type as Notice['type'], of)).toBe(path)
})
