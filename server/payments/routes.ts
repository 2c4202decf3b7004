import { paymentChanges } from '#contract/payment-changes.ts'
import { payments } from '#contract/payments.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listBalances } from '../ledger/balances.ts'
import { previewPayment } from './preview.ts'
import { getPayment, listPaymentEntries, listPayments } from './queries.ts'
import { createPayment, removePayment, updatePayment } from './saves.ts'
import { getStatement } from './statement.ts'
import { setPaymentStatus } from './status.ts'

export function paymentRoutes(app: App, db: Db): void {
  serve(app, payments.list, ({ viewer, query }) => listPayments(db, viewer, query))
  serve(app, payments.preview, ({ query }) => previewPayment(db, query))
  serve(app, payments.balances, ({ query }) => listBalances(db, query))
  serve(app, payments.get, ({ viewer, params }) => getPayment(db, viewer, params.id))
  serve(app, payments.entries, ({ viewer, params, query }) => listPaymentEntries(db, viewer, params.id, query))
  serve(app, payments.statement, ({ viewer, params }) => getStatement(db, viewer, params.id))
  serve(app, payments.create, ({ viewer, body }) => createPayment(db, viewer, body))
  serve(app, payments.update, ({ viewer, params, body, ifMatch }) =>
    updatePayment(db, viewer, params.id, body, ifMatch),
  )
  serve(app, paymentChanges.setStatus, ({ viewer, body }) => setPaymentStatus(db, viewer, body))
  serve(app, payments.remove, ({ viewer, params }) => removePayment(db, viewer, params.id))
}
