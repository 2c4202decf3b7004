// npm run ready: waits up to two minutes until the server of these settings is ready. Exit code 1 when it is not.
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '#db/operator-error.ts'
import { localAddress, readConfig } from '#server/config.ts'
import { isReady, runCommand, say } from './command.ts'

const LIMIT_MS = 120_000

await runCommand(async () => {
  const { host, port } = readConfig(process.env)
  const origin = localAddress(host, port)
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await wait(500)) {
    if (await isReady(origin)) return say('Afluente está listo.')
  }
  throw new OperatorError(`Afluente no quedó listo en dos minutos (${origin}/readyz).`)
})
