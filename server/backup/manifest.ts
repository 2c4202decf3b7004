import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, OperatorError } from '#db/operator-error.ts'

const Counts = z.object({
  leads: z.number(),
  events: z.number(),
  entries: z.number(),
  payments: z.number(),
  /** The head of the audit chain, as `audit:check` writes it. */
  audit: z.string().optional(),
})
/** Rows of tables from which nothing is deleted. */
export type Counts = z.infer<typeof Counts>

const CopiedFile = z.object({ path: z.string(), size: z.number(), sha256: z.string() })
export type CopiedFile = z.infer<typeof CopiedFile>

const Manifest = z.object({
  format: z.literal(1),
  /** When it began: every click answered before is in it. */
  began: z.string(),
  ended: z.string(),
  /** PostgreSQL's server_version_num. */
  postgres: z.number(),
  /** Whether it is the database that comes with Afluente. */
  embedded: z.boolean(),
  /** What the database held before and after it was copied. */
  before: Counts,
  after: Counts,
  /** The id under which the spool reports to other copies of the server. */
  spoolId: z.string().optional(),
  files: z.array(CopiedFile),
})
export type Manifest = z.infer<typeof Manifest>

export const MANIFEST = 'manifest.json'
export const BASE = 'base.tar'
const PIECE = 1_048_576

/** A new file that only its owner may read, flushed when it is closed, with its size and sum. */
export class NewFile {
  readonly #fd: number
  readonly #path: string
  readonly #hash: Hash = createHash('sha256')
  size = 0

  constructor(folder: string, path: string) {
    this.#path = path
    this.#fd = openSync(join(folder, path), 'wx', 0o600)
  }

  write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
    this.#hash.update(bytes)
    this.size += bytes.length
  }

  close(): CopiedFile {
    fsyncSync(this.#fd)
    this.abandon()
    return { path: this.#path, size: this.size, sha256: this.#hash.digest('hex') }
  }

  abandon(): void {
    closeSync(this.#fd)
  }
}

/** The pieces of a file, whose memory is used again for the next. */
export function* piecesOf(file: string): Generator<Buffer> {
  const fd = openSync(file, 'r')
  try {
    const piece = Buffer.alloc(PIECE)
    for (;;) {
      const length = readSync(fd, piece)
      if (!length) return
      yield piece.subarray(0, length)
    }
  } finally {
    closeSync(fd)
  }
}

export function flushFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

export function readManifest(folder: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')))
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? `falta ${MANIFEST}` : `${MANIFEST} no se entiende`
    throw new OperatorError(`${folder} no es un respaldo completo: ${reason}.`, { cause: error })
  }
}

/** Whether each file is as it was written, and no other is there. */
export function verifyFiles(folder: string, { files }: Manifest): void {
  const there = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  const names = new Set(there.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)))
  for (const file of files) if (!names.delete(file.path)) throw broken(folder, `falta ${file.path}`)
  names.delete(MANIFEST)
  for (const name of names) throw broken(folder, `${name} no es de este respaldo`)
  for (const { path, size, sha256 } of files) {
    const hash = createHash('sha256')
    let length = 0
    for (const piece of piecesOf(join(folder, path))) {
      hash.update(piece)
      length += piece.length
    }
    if (length !== size) throw broken(folder, `${path} mide ${length} bytes y se escribió con ${size}`)
    if (hash.digest('hex') !== sha256) throw broken(folder, `el contenido de ${path} cambió`)
  }
}

const broken = (folder: string, why: string) => new OperatorError(`El respaldo ${folder} está dañado: ${why}.`)
