// Long functions: a configuration is read as a whole.
interface Ports {
  /** Where it listens: to PostgreSQL's clients, and for the web. */
  sql: number
  web: number
  databases: { name: string; sql: number; rest: number }[]
  copies: number[]
}

const copiesOf = ({ copies }: Ports, name = '', options = ''): string =>
  copies.map((port, index) => `  server ${'ab'[index]}${name} 127.0.0.1:${port}${options}`).join('\n')

/**
 * The file of docs/operacion-cluster.md with these addresses; keep them alike, but for `balance` of the clicks, whose
 * visitors here all have one address.
 */
export const haproxyFile = (ports: Ports): string => `
global
  maxconn 4000

defaults
  timeout connect 2s
  timeout client 70s
  timeout server 70s

listen base
  mode tcp
  bind 127.0.0.1:${ports.sql}
  timeout client 30m
  timeout server 30m
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${ports.databases.map(({ name, sql, rest }) => `  server ${name} 127.0.0.1:${sql} check port ${rest}`).join('\n')}

frontend web
  mode http
  bind 127.0.0.1:${ports.web}
  option forwardfor
  acl click path_beg /api/v1/leads/redirect/
  use_backend clicks if click
  default_backend app

backend clicks
  mode http
  balance roundrobin
  option httpchk GET /healthz
  option redispatch 1
  option allbackups
  retry-on conn-failure empty-response
  timeout check 2s
  default-server check inter 500ms fall 2 rise 1
${copiesOf(ports)}
${copiesOf(ports, '-anyway', ' no-check backup')}

backend app
  mode http
  balance roundrobin
  option httpchk GET /readyz
  option redispatch 1
  default-server check inter 1s fall 2 rise 1
${copiesOf(ports)}
`
