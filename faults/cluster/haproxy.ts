import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Ports {
  /** Where it listens: to PostgreSQL's clients, and for the web. */
  sql: number
  web: number
  databases: { sql: number; rest: number }[]
  copies: number[]
}

function blockOf(guide: string, first: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../docs', guide), 'utf8')
  const block = text.split(/^```\w*\n/m).find((each) => each.startsWith(`${first}\n`))
  if (!block) throw new Error(`${guide} has no block that begins with ${first}`)
  return block
}

function put(text: string, pairs: [from: string, to: string][]): string {
  let result = text
  for (const [from, to] of pairs) {
    if (!result.includes(from)) throw new Error(`The guides no longer say ${from}`)
    result = result.replaceAll(from, to)
  }
  return result
}

/**
 * The file of the guides, docs/operacion-cluster.md and then the web side of docs/operacion.md, with these addresses and
 * without TLS. Clicks go by turns: all visitors here have one address.
 */
export function haproxyFile({ sql, web, databases, copies }: Ports): string {
  const base = put(blockOf('operacion-cluster.md', 'global'), [
    ['127.0.0.1:5432', `127.0.0.1:${sql}`],
    ...databases.map(({ sql, rest }, index): [string, string] => [
      `10.0.0.2${index + 1}:5432 check port 8008`,
      `127.0.0.1:${sql} check port ${rest}`,
    ]),
  ])
  const clicks = put(blockOf('operacion.md', 'frontend web'), [
    ['bind :443 ssl crt /etc/haproxy/afluente.pem', `bind 127.0.0.1:${web}`],
    ['balance source', 'balance roundrobin'],
    ['hash-type consistent', '#'],
    ...copies.map((port, index): [string, string] => [`10.0.0.1${index + 1}:3000`, `127.0.0.1:${port}`]),
  ])
  return `${base}\n${clicks}`
}
