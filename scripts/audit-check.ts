// npm run audit:check [-- NUMBER:HASH]: walks the chain of the audit trail, with the server running or not. Given a head that
// was noted earlier, it also looks whether the chain still has it. Exit code 1 when something is not as it was written.
import { connect } from '#db/connect.ts'
import { OperatorError } from '#db/operator-error.ts'
import { findFault, headOf, readHead, textOf } from '#server/audit-log/chain.ts'
import { readConfig } from '#server/config.ts'
import { runCommand, say, withEmbedded } from './command.ts'

const HOUR_MS = 3_600_000

async function check(url: string): Promise<void> {
  const [text] = process.argv.slice(2)
  const noted = text === undefined ? undefined : headOf(text)
  if (text !== undefined && !noted)
    throw new OperatorError('Lo anotado tiene la forma NÚMERO:HASH, como lo escribe el registro.')
  const db = connect(url, { max: 1, statementTimeoutMs: HOUR_MS, applicationName: 'afluente audit check' })
  try {
    const head = await readHead(db)
    const fault = await findFault(db, noted)
    say(fault ?? 'La bitácora está como se escribió.')
    if (head) say(`Último registro: ${textOf(head)}`)
    if (fault) process.exitCode = 1
  } finally {
    await db.destroy()
  }
}

await runCommand(async () => {
  const { databaseUrl, databaseAppUrl, dataDir } = readConfig(process.env)
  const url = databaseAppUrl ?? databaseUrl
  await (url ? check(url) : withEmbedded(dataDir, check))
})
