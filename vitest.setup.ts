import { untilMidnightIsOver } from '#contract/midnight.testing.ts'

// Before each file: many keep the day on which they are loaded.
await untilMidnightIsOver()
