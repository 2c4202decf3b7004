// Writes db/tables.ts from a freshly migrated database; with --verify only compares.
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import {
  ColumnTypeNode,
  DEFAULT_LOG_LEVEL,
  generate,
  getDialect,
  IdentifierNode,
  Logger,
  UnionExpressionNode,
} from 'kysely-codegen'
import { migrate } from '#db/migrate.ts'
import { openPool } from '#db/pool.ts'
import { startTemporaryCluster } from '#db/test-cluster.ts'

/** The types that the readers of db/connect.ts give; moments may be written as Date too. */
function ourDialect() {
  const dialect = getDialect('postgres')
  const text = new IdentifierNode('string')
  const written = new UnionExpressionNode([new IdentifierNode('Date'), text])
  Object.assign(dialect.adapter.definitions, { Timestamp: new ColumnTypeNode(text, written, written) })
  return dialect
}

const verify = process.argv.includes('--verify')
const cluster = await startTemporaryCluster()
try {
  await migrate(cluster.url)
  // The server leaves before the pool has closed its last connection; nothing is lost by that.
  const db = new Kysely({ dialect: new PostgresDialect({ pool: openPool(cluster.url, { onError: () => {} }) }) })
  await generate({
    db,
    dialect: ourDialect(),
    outFile: join(import.meta.dirname, '../db/tables.ts'),
    excludePattern: '{migration,function_file,lead_?*[0-9]}',
    typeMapping: { int8: 'number', numeric: 'string', date: 'string' },
    logger: new Logger(DEFAULT_LOG_LEVEL),
    verify,
  })
  await db.destroy()
} catch (error) {
  process.exitCode = 1
  const stale = error instanceof Error && error.message.includes('not up-to-date')
  console.error(stale ? 'db/tables.ts is stale: run "npm run db:types".' : error)
} finally {
  await cluster.stop()
}
