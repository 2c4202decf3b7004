import type pg from 'pg'
import { codeOf, OperatorError } from './operator-error.ts'
import { endClient, newClient } from './pool.ts'

/** Bytes that PostgreSQL sends are taken at once, before the driver uses their memory again. */
export interface Archive {
  take: (bytes: Buffer) => void
  /** How many bytes to expect, roughly. */
  expect: (bytes: number) => void
}

// Kept from now on until this connection ends, whatever PostgreSQL would remove meanwhile.
const KEEP_WAL = 'CREATE_REPLICATION_SLOT afluente_backup TEMPORARY PHYSICAL (RESERVE_WAL)'
// With the WAL that makes it whole: it starts without anything else.
const BACKUP = "BASE_BACKUP (LABEL 'afluente', CHECKPOINT 'fast', PROGRESS, WAL, MANIFEST 'no')"

const [ARCHIVE, DATA] = ['n'.charCodeAt(0), 'd'.charCodeAt(0)]

/** What the driver knows of such a message; its types leave them out. */
type Row = { fields: (string | null)[] }
type Piece = { chunk: Buffer }

class BaseBackup implements pg.Submittable {
  readonly #archive: Archive
  readonly #done = Promise.withResolvers<void>()
  #archives = 0
  #failure: Error | undefined

  constructor(archive: Archive) {
    this.#archive = archive
  }

  get done(): Promise<void> {
    return this.#done.promise
  }

  submit(connection: pg.Connection): void {
    connection.query(BACKUP)
  }

  handleRowDescription(): void {}

  /** The position has two columns, a tablespace has three: of the first, only the size is there, in kB. */
  handleDataRow({ fields: [, , size] }: Row): void {
    if (size) this.#archive.expect(Number(size) * 1024)
  }

  handleCopyData({ chunk }: Piece): void {
    if (chunk[0] === ARCHIVE) this.#archives += 1
    if (chunk[0] !== DATA || this.#failure) return
    try {
      this.#archive.take(chunk.subarray(1))
    } catch (error) {
      this.fail(error)
    }
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.fail(error)
  }

  handleReadyForQuery(): void {
    if (this.#archives > 1) this.fail(new OperatorError('La base usa tablespaces, que este respaldo no copia.'))
    this.#done.resolve()
  }

  fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    this.#done.reject(error)
  }
}

const NO_RIGHT =
  'El usuario de la base no puede copiarla: necesita «alter role … replication» y una línea «replication» en pg_hba.conf.'

/** The files of the whole PostgreSQL as a tar archive, over the protocol of replicas, while it works. */
export async function takeBaseBackup(url: string, archive: Archive): Promise<void> {
  const replication: pg.ClientConfig & { replication: string } = { replication: 'true' }
  const client = newClient(url, 'afluente backup', replication)
  const backup = new BaseBackup(archive)
  client.on('error', (error) => backup.fail(error))
  try {
    await client.connect()
    await client.query(KEEP_WAL)
    client.query(backup)
    await backup.done
  } catch (error) {
    throw explain(error)
  } finally {
    await endClient(client)
  }
}

const REASONS: Record<string, string> = {
  '28000': NO_RIGHT,
  '42501': NO_RIGHT,
  '42710': 'Hay otro respaldo en marcha de esta base de datos.',
}

function explain(error: unknown): unknown {
  const reason = REASONS[codeOf(error) ?? '']
  return reason ? new OperatorError(reason, { cause: error }) : error
}
