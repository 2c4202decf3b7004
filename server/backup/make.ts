import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { takeBaseBackup } from '#db/base-backup.ts'
import { connect, type Db } from '#db/connect.ts'
import { codeOf, OperatorError } from '#db/operator-error.ts'
import { readHead, textOf } from '../audit-log/chain.ts'
import { inSnapshot } from '../snapshot.ts'
import {
  BASE,
  type CopiedFile,
  type Counts,
  flushFolder,
  MANIFEST,
  type Manifest,
  NewFile,
  piecesOf,
} from './manifest.ts'

interface Order {
  /** The owner's. */
  url: string
  embedded: boolean
  dataDir: string
  /** Made by the backup. */
  folder: string
  say: (text: string) => void
}

const HOUR_MS = 3_600_000

/** The folder gets its name when everything in it is on the disk. */
export async function makeBackup(order: Order): Promise<Manifest> {
  const { folder, say } = order
  if (existsSync(folder)) throw new OperatorError(`${folder} ya existe: indique una carpeta nueva.`)
  const partial = `${folder}.partial`
  takeName(partial)
  try {
    const manifest = await copyAll({ ...order, folder: partial })
    flushFolder(partial)
    renameSync(partial, folder)
    flushFolder(dirname(folder))
    say(`Respaldo completo en ${folder}: ${manifest.after.leads} leads.`)
    return manifest
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (codeOf(error) !== 'ENOSPC') throw error
    throw new OperatorError(`No hay espacio para el respaldo en ${dirname(folder)}.`, { cause: error })
  }
}

function takeName(partial: string): void {
  try {
    mkdirSync(dirname(partial), { recursive: true })
    mkdirSync(partial, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    throw new OperatorError(
      `${partial} ya existe: hay otro respaldo en marcha, o uno que no terminó y que debe borrar antes.`,
    )
  }
}

/**
 * The spool before the database: a click leaves the spool when it is in the database, so one that the spool's copy
 * misses is in the database before the database is copied. The other way round it could be in neither.
 */
async function copyAll({ url, embedded, dataDir, folder, say }: Order): Promise<Manifest> {
  const began = new Date().toISOString()
  const db = connect(url, { max: 1, statementTimeoutMs: HOUR_MS, applicationName: 'afluente backup' })
  try {
    const { postgres, ...before } = await readCounts(db)
    const files = [...copySpool(dataDir, folder), ...copyKeys(dataDir, folder)]
    files.push(await copyDatabase(url, folder, say))
    const { postgres: _same, ...after } = await readCounts(db)
    const spoolId = spoolIdOf(dataDir)
    const manifest: Manifest = {
      ...{ format: 1, began, ended: new Date().toISOString(), postgres, embedded, before, after, files },
      ...(spoolId && { spoolId }),
    }
    const file = new NewFile(folder, MANIFEST)
    file.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    file.close()
    return manifest
  } finally {
    await db.destroy()
  }
}

/** In one picture of the tables. */
export const readCounts = (db: Db): Promise<Counts & { postgres: number }> =>
  inSnapshot(db, async (tx) => {
    const { rows } = await sql<Counts & { postgres: number }>`
      select (select count(*) from lead) as leads, (select count(*) from lead_event) as events,
        (select count(*) from commission_entry) as entries, (select count(*) from payment) as payments,
        current_setting('server_version_num')::int as postgres`.execute(tx)
    const [counts] = rows
    if (!counts) throw new Error('PostgreSQL did not count')
    const head = await readHead(tx)
    return { ...counts, ...(head && { audit: textOf(head) }) }
  })

/** In this order: a lead may go from a segment to one of the others meanwhile, never back. */
const WAITING = [/^segment-\d+$/, /^(refused\.jsonl|held-.*\.jsonl)$/]

function copySpool(dataDir: string, folder: string): CopiedFile[] {
  const from = join(dataDir, 'spool')
  if (!existsSync(from)) return []
  mkdirSync(join(folder, 'spool'), { mode: 0o700 })
  return WAITING.flatMap((waiting) =>
    readdirSync(from)
      .filter((name) => waiting.test(name))
      .map((name) => copyFile(join(from, name), folder, `spool/${name}`)),
  )
}

/** The secret of an installation without SECRET, and the owner's password of the embedded database. */
const copyKeys = (dataDir: string, folder: string): CopiedFile[] =>
  ['secret', 'postgres.password']
    .filter((name) => existsSync(join(dataDir, name)))
    .map((name) => copyFile(join(dataDir, name), folder, name))

/** Without the zeros at the end, of which most of a spool consists. */
function copyFile(from: string, folder: string, path: string): CopiedFile {
  const file = new NewFile(folder, path)
  let zeros = 0
  for (const piece of piecesOf(from)) {
    const end = piece.findLastIndex((byte) => byte !== 0) + 1
    if (end) {
      for (; zeros > 0; zeros -= piece.length) file.write(Buffer.alloc(Math.min(zeros, piece.length)))
      file.write(piece.subarray(0, end))
      zeros = 0
    }
    zeros += piece.length - end
  }
  return file.close()
}

const MEGABYTE = 1_048_576

async function copyDatabase(url: string, folder: string, say: Order['say']): Promise<CopiedFile> {
  const file = new NewFile(folder, BASE)
  let [expected, told] = [0, 0]
  say('Copiando la base de datos…')
  await takeBaseBackup(url, {
    expect: (bytes) => {
      expected = bytes
    },
    take: (bytes) => {
      file.write(bytes)
      const tenths = expected ? Math.floor((10 * file.size) / expected) : 0
      if (tenths <= told || tenths >= 10) return
      told = tenths
      say(`  ${tenths * 10} % de ${Math.ceil(expected / MEGABYTE)} MB`)
    },
  })
  const copied = file.close()
  say('Base de datos copiada.')
  return copied
}

function spoolIdOf(dataDir: string): string | undefined {
  try {
    return readlinkSync(join(dataDir, 'spool/id'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined // no server has used the folder
    throw error
  }
}
