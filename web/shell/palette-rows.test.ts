import { expect, test } from 'vitest'
import { Role } from '#contract/roles.ts'
import { paths } from '#web/paths.ts'
import { groupsOf } from './palette-rows.ts'

const screensOf = (role: Role, managesPeople?: boolean) => groupsOf(role, '', undefined, managesPeople)[0]?.items ?? []

test.each(Role.options)('the palette lists every screen of the %s once', (role) => {
  const listed = screensOf(role, true).map(({ path }) => path)
  // Nothing leads to the campaigns (SHELL-20).
  const screens = Object.values(paths[role]).filter((path) => path !== paths.affiliate.campaigns)
  expect(listed.toSorted()).toEqual(screens.toSorted())
})

test('Personas is for who answers for the people of a company', () => {
  const labels = (managesPeople?: boolean) => screensOf('issuer', managesPeople).map(({ label }) => label)
  expect(labels()).toContain('Bonos y ajustes')
  expect(labels()).not.toContain('Personas')
  expect(labels(true)).toContain('Personas')
})
