import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { withoutCalls, withoutSchemas } from './contract-parts.ts'

const room = join(import.meta.dirname, '../contract')
const files = readdirSync(room).filter((file) => !file.endsWith('.test.ts'))

const exportsOf = (code: string) =>
  parseSync('contract.js', code)
    .module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name))
    .sort()

test.each(files)('the two halves of %s export what it exports', async (file) => {
  const { code } = await transformWithOxc(readFileSync(join(room, file), 'utf8'), file)
  expect(exportsOf(withoutSchemas(code, `contract/${file}`))).toEqual(exportsOf(code))
})

const written = `
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Money } from './fields.ts'
const part = { amount: Money }
export const labels = { z: 'Zeta', Money: 'Dinero' }
export const Payment = z.object(part)
export const firstOf = (payment) => labels[payment.z]
export const payments = { list: endpoint({ method: 'GET', path: '/payments/', access: ['admin'], response: z.array(Payment) }) }
`

test('words and calls stay, and what is made with zod comes from the other half', () => {
  const rest = withoutSchemas(written, 'contract/payments.ts')
  expect(rest).toContain("export const labels = { z: 'Zeta', Money: 'Dinero' }")
  expect(rest).toContain('export const firstOf = (payment) => labels[payment.z]')
  expect(rest).toContain("export { Payment } from './payments.ts?schemas'")
  expect(rest).not.toMatch(/z\.|part|access|response|endpoint\(/)
  expect(rest).toContain("path: '/payments/'")
})

test('the other half has the schemas, and no calls', () => {
  const schemas = withoutCalls(written, 'contract/payments.ts')
  expect(schemas).toContain('export const Payment = z.object(part)')
  expect(schemas).not.toMatch(/endpoint\(|payments = /)
})
