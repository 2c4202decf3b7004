import { randomUUIDv7 } from 'node:crypto'
import type { LeadRecord } from './lead-rows.ts'

/** The id of a lead whose click came at this moment, in milliseconds since 1970. */
export function idOfClick(moment: number): string {
  const time = moment.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`
}

type Ids = Pick<LeadRecord, 'relationship_id' | 'affiliate_id' | 'issuer_id' | 'product_id'>

/** A click before it is stored, of which nothing is known but what is given. */
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
