import { expect, test } from 'vitest'
import { CompanyName, PersonName } from './fields.ts'
import { FactorLabel } from './second-factors.ts'

test('a name is of letters that show', () => {
  for (const name of ['José Ñandú', 'Zoe\u0308 Ruiz', '李 小龙', 'Ñ O'])
    expect([name, PersonName.safeParse(name).success]).toEqual([name, true])
  for (const name of ['\u3164\u3164', 'Ana\u115F', '\uFFA0 \uFFA0', 'Ana\u034F', 'Ana 2', 'A'])
    expect([name, PersonName.safeParse(name).success]).toEqual([name, false])
})

test('the name of a factor shows something, and says what is missing once', () => {
  for (const label of ['', '  ', '\u200B', '\u3164\uFE0F', '\u200B \u200B']) {
    const { error } = FactorLabel.safeParse(label)
    expect([label, error?.issues.map(({ message }) => message)]).toEqual([label, ['Ponle un nombre']])
  }
  expect(FactorLabel.parse(' Mi teléfono 2 ')).toBe('Mi teléfono 2')
})

test('a name is one line, however it was pasted', () => {
  for (const end of ['\r\n', '\n', '\t', '\u2028', '\u0085'])
    expect(CompanyName.parse(`Banco${end}Bcc: x@y.mx`)).toBe('Banco Bcc: x@y.mx')
  expect(CompanyName.safeParse('A\n').success).toBe(false)
})
