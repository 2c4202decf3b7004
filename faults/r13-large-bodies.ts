import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { residentMegabytes } from '#bench/clicks/processes.ts'
import { type Figures, promise } from '#bench/figures.ts'
import type { Fault } from './fault.ts'
import { flood } from './flood.ts'
import { type Product, withProduct } from './product.ts'

const ROUNDS = 40
/** Megabytes. */
const GROWTH = 20
const MEGABYTE = 1_048_576

const LOGIN = 'POST /api/v1/auth/login/ HTTP/1.1\r\nhost: x\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n'
const announced = (bytes: number) => `${LOGIN}${JSON_TYPE}content-length: ${bytes}\r\n\r\n`
const spaces = Buffer.alloc(65_536, ' ')
const nothing = Buffer.alloc(0)
const chunk = Buffer.concat([Buffer.from('10000\r\n'), spaces, Buffer.from('\r\n')])
const bomb = gzipSync(Buffer.alloc(4 * MEGABYTE, ' '))
const deep = Buffer.from(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)
const keys = Buffer.from(`{${Array.from({ length: 10_000 }, (_, key) => `"${key.toString(36)}":0`).join(',')}}`)

interface Attack {
  what: string
  head: string
  piece: Buffer
  bytes: number
  statuses: string[]
}

const attacks: Attack[] = [
  { what: '64 KB and a byte', head: announced(65_537), piece: spaces, bytes: 65_537, statuses: ['413'] },
  { what: '1 MB', head: announced(MEGABYTE), piece: spaces, bytes: MEGABYTE, statuses: ['413'] },
  { what: '100 MB', head: announced(100 * MEGABYTE), piece: spaces, bytes: 100 * MEGABYTE, statuses: ['413'] },
  {
    what: 'chunks without an end',
    head: `${LOGIN}${JSON_TYPE}${CHUNKED}\r\n`,
    piece: chunk,
    bytes: 100 * MEGABYTE,
    statuses: ['413'],
  },
  {
    what: 'a gzip bomb',
    head: `${LOGIN}${JSON_TYPE}content-encoding: gzip\r\nconnection: close\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    piece: bomb,
    bytes: bomb.length,
    statuses: ['400', '413', '415'],
  },
  ...[
    { what: '10,000 levels', piece: deep, statuses: ['400'] },
    { what: '10,000 keys', piece: keys, statuses: ['413', '422', '400'] },
  ].map((attack) => ({
    ...attack,
    head: `${LOGIN}${JSON_TYPE}connection: close\r\ncontent-length: ${attack.piece.length}\r\n\r\n`,
    bytes: attack.piece.length,
  })),
  {
    what: 'an address of 64 KB',
    head: `GET /api/v1/products/?a=${'x'.repeat(65_536)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    piece: nothing,
    bytes: 0,
    statuses: ['414', '431'],
  },
  {
    what: '32 KB of headers',
    head: `GET /api/v1/products/ HTTP/1.1\r\nhost: x\r\n${`x-a: ${'y'.repeat(1000)}\r\n`.repeat(33)}\r\n`,
    piece: nothing,
    bytes: 0,
    statuses: ['431'],
  },
  {
    what: 'two framings',
    head: `${LOGIN}${JSON_TYPE}content-length: 5\r\n${CHUNKED}\r\n0\r\n\r\n`,
    piece: nothing,
    bytes: 0,
    statuses: ['400'],
  },
]

async function attackOnce({ supervised }: Product, { what, head, piece, bytes, statuses }: Attack): Promise<string> {
  const { status, sent, closed, text } = await flood(supervised.port, head, piece, bytes)
  const figures: Figures = { what, status, sent, closed: String(closed), text: text.slice(0, 300) }
  promise(statuses.includes(status), 'It was answered otherwise', figures)
  promise(text.startsWith('{"success":false') || sent > MEGABYTE, 'The refusal has no envelope', figures)
  promise(closed, 'The connection stays open', figures)
  return `${what} ${status}`
}

async function attackAll(product: Product, rounds: number): Promise<string[]> {
  const answers = new Set<string>()
  for (let round = 0; round < rounds; round += 1)
    for (const text of await Promise.all(attacks.map((attack) => attackOnce(product, attack)))) answers.add(text)
  return [...answers]
}

/** An idle process frees unused memory within seconds. */
async function megabytesAtRest({ supervised }: Product, short: boolean): Promise<number> {
  await wait(short ? 100 : 10_000)
  return residentMegabytes(supervised.pid)
}

export const fault: Fault = {
  id: 'R13',
  title: 'bodies, addresses and headers come far too large or nested',
  run: ({ short, say }) =>
    withProduct(async (product) => {
      const rounds = short ? 2 : ROUNDS
      // The memory of a server's first thousand requests is not growth.
      await attackAll(product, rounds)
      const before = await megabytesAtRest(product, short)
      const answers = await attackAll(product, rounds)
      const after = await megabytesAtRest(product, short)
      for (const text of answers) say(text)
      const figures = {
        requests: rounds * attacks.length,
        'MB before': Math.round(before),
        'MB after': Math.round(after),
        answers: answers.join('; '),
      }
      if (!short) promise(after - before < GROWTH, 'The server keeps what it was sent', figures)
      return figures
    }),
}
