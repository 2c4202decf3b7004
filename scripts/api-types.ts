// Writes server/docs/clients/afluente-api.ts, the types of what keys open, from the document that the server gives; with
// --verify only compares.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS from 'openapi-typescript'
import { connect } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { startTemporaryCluster } from '#db/test-cluster.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { OpenApi, Operation } from '#server/docs/page.ts'

const FILE = join(import.meta.dirname, '../server/docs/clients/afluente-api.ts')
const HEAD = `// afluente-api.ts — los tipos de lo que abre una clave de Afluente, hechos de /api/v1/openapi.json.\n`

/** People's calls are made by our own screens, and nobody begins with an address that is deprecated. */
function openedByKey({ paths, ...document }: OpenApi): OpenApi {
  const isOpened = ({ security = [], deprecated }: Operation) =>
    !deprecated && security.some((scheme) => 'apiKey' in scheme)
  const calls = Object.entries(paths).map(([path, all]) => {
    const opened = Object.entries(all).filter(([, operation]) => isOpened(operation))
    return [path, Object.fromEntries(opened)] as const
  })
  return { ...document, paths: Object.fromEntries(calls.filter(([, opened]) => Object.keys(opened).length)) }
}

const cluster = await startTemporaryCluster()
const dataDir = mkdtempSync(join(tmpdir(), 'afluente-types-'))
const db = connect(cluster.url, { onError: () => undefined })
try {
  await migrate(cluster.url)
  const config = readConfig({
    DATABASE_URL: cluster.url,
    DATA_DIR: dataDir,
    SECRET: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
    SPOOL_MB: '1',
  })
  const app = await buildApp({ db, config, databaseUrl: cluster.url })
  const document = openedByKey((await app.inject('/api/v1/openapi.json')).json())
  await app.close()
  const text = HEAD + (await openapiTS(document as never, { commentHeader: '' }))
  if (!process.argv.includes('--verify')) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    process.exitCode = 1
    console.error('server/docs/clients/afluente-api.ts is stale: run "npm run api:types".')
  }
} finally {
  await db.destroy()
  await cluster.stop()
  rmSync(dataDir, { recursive: true })
}
