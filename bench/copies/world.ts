import { join } from 'node:path'
import { startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { unique } from '#db/factories.ts'
import { makeFolder, removeFolder, SECRET } from '../clicks/world.ts'
import { ask, expectStatus } from './ask.ts'
import { Copy } from './copy.ts'

export const ADMIN = { email: 'administracion@pruebas.mx', password: 'Rio-caudaloso-2026' }

export type Copies = [a: Copy, b: Copy]

export interface CopiesWorld {
  folder: string
  /** Connects as the owner, through the same address as the copies. */
  db: Db
  databaseUrl: string
  copies: Copies
  /** Access token of the first administrator. */
  token: string
  remove: () => Promise<void>
}

/** Two copies on one database, each with a folder of its own, behind one balancer. */
export async function startCopies(folder: string, databaseUrl: string, ports: number[] = []): Promise<Copies> {
  const start = (name: string, port?: number) =>
    Copy.start(
      {
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, name),
        SECRET,
        DEMO: '0',
        SPOOL_MB: '64',
        TRUST_PROXY: '1',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
      },
      join(folder, `${name}.log`),
      port,
    )
  // Started together on an empty database: they take turns.
  return Promise.all([start('a', ports[0]), start('b', ports[1])])
}

export async function signIn(port: number, account: { email: string; password: string }, from?: string) {
  const answer = await expectStatus(200, ask(port, '/api/v1/auth/login/', { body: account, ...(from && { from }) }))
  return answer.data as { access: string; refresh: string; user: { id: number } }
}

/** An administrator like the first, made by the API. */
export async function makePerson({ copies: [a], token }: Pick<CopiesWorld, 'copies' | 'token'>) {
  const account = { email: `persona${unique()}@copias.mx`, password: ADMIN.password }
  const body = { ...account, first_name: 'Ana', last_name: 'Copia', role: 'admin' }
  const { data } = await expectStatus(201, ask(a.port, '/api/v1/auth/users/', { body, token }))
  return { id: data.id as number, account }
}

export async function openWorld(): Promise<CopiesWorld> {
  const folder = makeFolder()
  const cluster = await startCluster({ dataDir: join(folder, 'cluster'), log: () => undefined })
  const copies = await startCopies(folder, cluster.url)
  const db = connect(cluster.url, { max: 4 })
  const { access: token } = await signIn(copies[0].port, ADMIN)
  return {
    folder,
    db,
    databaseUrl: cluster.url,
    copies,
    token,
    remove: async () => {
      await db.destroy()
      await Promise.all(copies.map((copy) => copy.stop()))
      await cluster.stop()
      removeFolder(folder)
    },
  }
}
