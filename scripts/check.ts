// npm run check: everything that takes seconds.
import { checks, houseRules, runStep, tell } from './checks.ts'

const outcomes = await Promise.all(
  [...checks, houseRules].map(async (step) => {
    const outcome = await runStep(step, true)
    tell(outcome)
    return outcome
  }),
)
if (outcomes.some((outcome) => !outcome.ok)) process.exitCode = 1
