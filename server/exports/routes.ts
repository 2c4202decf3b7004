import { exports } from '#contract/exports.ts'
import type { Links } from '../clicks/links.ts'
import type { Config } from '../config.ts'
import type { App } from '../http/http.ts'
import { serveStream } from '../http/streams.ts'
import { commissionSheet, eventStepSheet, productSheet } from './catalog.ts'
import { entrySheet } from './entries.ts'
import { type Exporting, exportSheet } from './export.ts'
import { importRowSheet } from './imports.ts'
import { leadSheet } from './leads.ts'
import { paymentEntrySheet, paymentSheet } from './payments.ts'
import { affiliateSheet, issuerSheet, relationshipSheet, userSheet } from './people.ts'
import { resultSheet } from './results.ts'

type Needs = Omit<Exporting, 'report'> & { links: Links; directory: Config['issuerDirectory'] }

export function exportRoutes(app: App, { links, directory, ...parts }: Needs): void {
  const report = (err: unknown) => app.log.error({ err }, 'export not closed')
  const to: Exporting = { ...parts, report }
  serveStream(app, exports.leads, ({ viewer, query }) => exportSheet(to, viewer, query, leadSheet(viewer, query)))
  serveStream(app, exports.payments, ({ viewer, query }) => exportSheet(to, viewer, query, paymentSheet(viewer, query)))
  serveStream(app, exports.paymentEntries, ({ viewer, query, params }) =>
    exportSheet(to, viewer, query, paymentEntrySheet(viewer, params.id)),
  )
  serveStream(app, exports.commissionEntries, ({ viewer, query }) =>
    exportSheet(to, viewer, query, entrySheet(viewer, query)),
  )
  serveStream(app, exports.affiliates, ({ viewer, query }) =>
    exportSheet(to, viewer, query, affiliateSheet(viewer, query)),
  )
  serveStream(app, exports.issuers, ({ viewer, query }) =>
    exportSheet(to, viewer, query, issuerSheet(viewer, directory, query)),
  )
  serveStream(app, exports.users, ({ viewer, query }) => exportSheet(to, viewer, query, userSheet(query)))
  serveStream(app, exports.relationships, ({ viewer, query }) =>
    exportSheet(to, viewer, query, relationshipSheet(viewer, query)),
  )
  serveStream(app, exports.products, ({ viewer, query }) =>
    exportSheet(to, viewer, query, productSheet(viewer, links, query)),
  )
  serveStream(app, exports.eventSteps, ({ viewer, query }) =>
    exportSheet(to, viewer, query, eventStepSheet(viewer, query)),
  )
  serveStream(app, exports.commissions, ({ viewer, query }) =>
    exportSheet(to, viewer, query, commissionSheet(viewer, query)),
  )
  serveStream(app, exports.importRows, async ({ viewer, query, params }) =>
    exportSheet(to, viewer, query, await importRowSheet(parts.db, viewer, params.id, query)),
  )
  serveStream(app, exports.results, ({ viewer, query }) => exportSheet(to, viewer, query, resultSheet(viewer, query)))
}
