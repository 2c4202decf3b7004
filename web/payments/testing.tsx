import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Payment } from '#contract/payments.ts'

/** March 2025, of three commissions that still are what they were. */
export const made: Payment = {
  ...{ id: 7, relationship: 1, affiliate: 2, issuer: 3, affiliate_name: 'Portal Sur', issuer_name: 'Banco Río' },
  ...{ period_start: '2025-03-01', period_end: '2025-03-31', period_duration_days: 31 },
  ...{ total_leads: 10, total_conversions: 3, conversion_rate: 30 },
  ...{ total_amount: '1500.00', entries_amount: '1500.00', calculated_amount: '1500.00' },
  ...{ adjustment: '0.00', adjustment_reason: '', payment_status: 'pending', payment_date: '2025-04-04' },
  ...{ paid_at: null, cancel_reason: '', notes: '' },
  ...{ created_at: '2025-04-01T12:00:00Z', updated_at: '2025-04-01T12:00:00Z' },
}

/** What a person reads of it, without the parts that only the eye gets. */
export const read = (node: ReactNode): string =>
  renderToStaticMarkup(node)
    .replace(/<([a-z]+)[^>]* aria-hidden="true"[^>]*>.*?<\/\1>/g, '')
    .replace(/<\/?(?:p|li|tr|td|th|dt|dd|div|h1|h2|h3)[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
