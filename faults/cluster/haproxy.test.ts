import { expect, test } from 'vitest'
import { haproxyFile } from './haproxy.ts'

test('the file of the guides speaks HTTP to the web, waits for an export, and names only addresses that were put in', () => {
  const databases = [1, 2, 3].map((number) => ({ sql: 5430 + number, rest: 8000 + number }))
  const file = haproxyFile({ sql: 15_432, web: 18_080, databases, copies: [13_001, 13_002] })
  const sections = file.split(/^(?=\w)/m).filter((section) => /^(frontend|backend)/.test(section))
  expect(sections.map((section) => section.split(/\s/, 2).join(' '))).toEqual([
    ...['frontend web', 'backend clicks', 'backend app'],
  ])
  for (const section of sections) expect(section).toContain('\n  mode http\n')
  expect(sections[2]).toContain('timeout server 150s')
  expect(file).not.toContain('10.0.0.')
  for (const port of [15_432, 18_080, 5431, 8003, 13_001, 13_002]) expect(file).toContain(String(port))
})
