// Long functions: a configuration is read as a whole.
/** What a machine is called and listens on, and how it reaches the others. */
export interface Machine {
  name: string
  /** Its own folder, with PostgreSQL's in it. */
  folder: string
  data: string
  /** Its own. */
  ports: Record<'etcd' | 'peers' | 'sql' | 'rest', number>
  /** Where the others reach it. */
  reached: Record<'sql' | 'rest', number>
  /** Where it reaches etcd. */
  etcd: number[]
}

export const PASSWORD = 'Caudal-de-prueba-2026'

/** The file of docs/operacion-cluster.md, with the addresses of this machine; keep them alike. */
export const patroniFile = ({ name, folder, data, ports, reached, etcd }: Machine, bin: string): string => `
scope: afluente
name: ${name}

restapi:
  listen: 127.0.0.1:${ports.rest}
  connect_address: 127.0.0.1:${reached.rest}

etcd:
  hosts: ${etcd.map((port) => `127.0.0.1:${port}`).join(',')}
  use_proxies: true

bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    primary_start_timeout: 15
    maximum_lag_on_failover: 1073741824
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 200
        wal_keep_size: 512MB
        wal_sender_timeout: 10s
        wal_receiver_timeout: 10s
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums

postgresql:
  listen: 127.0.0.1:${ports.sql}
  connect_address: 127.0.0.1:${reached.sql}
  data_dir: ${data}
  bin_dir: ${bin}
  pgpass: ${folder}/pgpass
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser: { username: postgres, password: ${PASSWORD} }
    replication: { username: replica, password: ${PASSWORD} }
    rewind: { username: rewind, password: ${PASSWORD} }
  pg_hba:
    - host replication replica 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
  parameters:
    unix_socket_directories: ''
    shared_buffers: 64MB
    jit: 'off'
`

/**
 * Arguments of etcd on this machine. Version 2 of its API, since with version 3 this Patroni, when it hung past its ttl,
 * takes the lead back from whom it went to (mended in Patroni 3.0.3): what that one had acknowledged is lost.
 */
export const etcdArguments = ({ name, folder, ports }: Machine, all: Machine[]): string[] => {
  const url = (port: number) => `http://127.0.0.1:${port}`
  return Object.entries({
    name,
    'enable-v2': 'true',
    'data-dir': `${folder}/etcd`,
    'listen-client-urls': url(ports.etcd),
    'advertise-client-urls': url(ports.etcd),
    'listen-peer-urls': url(ports.peers),
    'initial-advertise-peer-urls': url(ports.peers),
    'initial-cluster': all.map((other) => `${other.name}=${url(other.ports.peers)}`).join(','),
    'initial-cluster-token': 'afluente',
    'heartbeat-interval': '250',
    'election-timeout': '2500',
  }).map(([flag, value]) => `--${flag}=${value}`)
}
