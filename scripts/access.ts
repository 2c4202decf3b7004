// npm run access -- EMAIL [--sin-segundo-factor]: a link with which this person chooses a password and gets in again, whatever locked them out. For
// the last administrator above all; whoever can run this can read the database anyway. The audit trail has it.
import { connect } from '#db/connect.ts'
import { OperatorError } from '#db/operator-error.ts'
import { openDoor } from '#server/access-links/open-door.ts'
import { readConfig } from '#server/config.ts'
import { runCommand, say, withEmbedded } from './command.ts'

const FLAG = '--sin-segundo-factor'

await runCommand(async () => {
  const forgetsFactors = process.argv.includes(FLAG)
  const [email, ...others] = process.argv.slice(2).filter((word) => word !== FLAG)
  if (!email || others.length)
    throw new OperatorError('Se usa así: npm run access -- correo@empresa.mx [--sin-segundo-factor]')
  const { databaseUrl, databaseAppUrl, dataDir, publicUrl } = readConfig(process.env)
  const open = async (url: string) => {
    const db = connect(url, { max: 1, applicationName: 'afluente access' })
    try {
      const { link, name } = await openDoor(db, publicUrl, email.trim().toLowerCase(), { forgetsFactors })
      say(`Enlace para ${name}, que sirve una vez y durante 15 minutos:\n${link}`)
      if (!process.env.PUBLIC_URL)
        say(`Sin PUBLIC_URL lleva a este equipo: cambie ${publicUrl} por la dirección del sitio.`)
    } finally {
      await db.destroy()
    }
  }
  const url = databaseAppUrl ?? databaseUrl
  await (url ? open(url) : withEmbedded(dataDir, open))
})
