import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

/** The last of the chain. Who noted it elsewhere sees when the end was cut or all of it was made anew. */
export interface Head {
  number: number
  hash: string
}

/** As the log writes it and the command reads it. */
export const textOf = ({ number, hash }: Head): string => `${number}:${hash}`

export function headOf(text: string): Head | undefined {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return number && hash ? { number: Number(number), hash } : undefined
}

/** Undefined while nothing was audited. */
export async function readHead(db: Db): Promise<Head | undefined> {
  const { rows } = await sql<Head>`select number, encode(hash, 'hex') as hash from audit_chain
    order by number desc limit 1`.execute(db)
  return rows[0]
}

interface Broken {
  number: number
  before: number
  entry_id: number
  is_missing: boolean
}

const DAY_MS = 86_400_000

/** Once a day to the log, which is kept elsewhere: what was logged cannot be unsaid in the database. */
export async function logHead(db: Db, log: FastifyBaseLogger): Promise<number> {
  const head = await readHead(db)
  if (head) log.info({ head: textOf(head) }, 'head of the audit chain')
  return DAY_MS
}

/** The first entry that is not as it was written, in words; undefined when the chain is whole. */
export async function findFault(db: Db, noted?: Head): Promise<string | undefined> {
  return (await findBroken(db)) ?? (await findUnchained(db)) ?? (noted && (await compareWith(db, noted)))
}

async function findBroken(db: Db): Promise<string | undefined> {
  const { rows } = await sql<Broken>`
    with link as (
      select number, entry_id, hash, lag(number, 1, 0::bigint) over by_number as before,
        lag(hash, 1, ''::bytea) over by_number as previous
      from audit_chain window by_number as (order by number)
    )
    select number, before, entry_id, entry.id is null as is_missing
    from link left join audit_entry as entry on entry.id = entry_id
    where number <> before + 1 or entry.id is null or hash <> audit_hash(previous, number, entry)
    order by number limit 1`.execute(db)
  const [broken] = rows
  if (!broken) return undefined
  const { number, before, entry_id, is_missing } = broken
  if (number !== before + 1) return `Falta el registro ${before + 1} de la cadena; el siguiente es el ${number}.`
  if (is_missing) return `Falta el registro ${number}: su entrada de la bitácora (id ${entry_id}) ya no está.`
  return `El registro ${number} (id ${entry_id}) no es como se escribió.`
}

async function findUnchained(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: number }>`select id from audit_entry
    where not exists (select from audit_chain where entry_id = audit_entry.id) order by id limit 1`.execute(db)
  return rows[0] && `La entrada con id ${rows[0].id} está en la bitácora y no en la cadena.`
}

async function compareWith(db: Db, noted: Head): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from audit_chain where number = ${noted.number}`.execute(db)
  if (!rows[0]) return `Falta el registro ${noted.number}, que se anotó: se quitó el final de la cadena.`
  return rows[0].hash === noted.hash
    ? undefined
    : `El registro ${noted.number} no es el que se anotó: la cadena se rehízo.`
}
