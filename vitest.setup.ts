import { untilMidnightIsOver } from '#contract/midnight.testing.ts'
import { cost } from '#server/users/passwords.ts'

// A hash at full cost takes longer than all else that a test of a sign-in does; login.test.ts has one.
Object.assign(cost, { memory: 64, passes: 1 })

// Before each file: many keep the day on which they are loaded.
await untilMidnightIsOver()
