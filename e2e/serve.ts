// A server under test that stays until it is interrupted; stories run on it with what it prints in their environment.
import setUp from './server.ts'

const stop = await setUp()
process.stdout.write(`export E2E_SERVED='${process.env.E2E_SERVED}'\n`)
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
