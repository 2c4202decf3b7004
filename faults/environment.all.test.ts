import { expect, test } from 'vitest'
import { fault } from './r22-changed-environment.ts'

// With a PostgreSQL of its own: roles and passwords are those of a whole cluster.
test(`${fault.title}: what was acknowledged is stored once (${fault.id})`, async () => {
  const figures = await fault.run({ short: true, say: () => undefined })
  expect(figures).toMatchObject({ lost: 0, doubled: 0 })
}, 300_000)
