import { randomUUIDv7 } from 'node:crypto'
import type { LeadRecord } from './lead-rows.ts'

/** The id of a lead clicked at this moment, in ms since 1970. */
export function idOfClick(moment: number): string {
  const time = moment.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`
}

type Ids = Pick<LeadRecord, 'relationship_id' | 'affiliate_id' | 'issuer_id' | 'product_id'>

/** A click that is not stored yet, with nothing but the given fields. */
export const makeRecord = (ids: Ids, given: Partial<LeadRecord> = {}): LeadRecord => ({
  ...ids,
  tracking_id: randomUUIDv7(),
  external_id: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_term: '',
  utm_content: '',
  lead_data: {},
  ...given,
})
