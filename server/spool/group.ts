import type { LeadRecord } from './lead-rows.ts'

/** A record to be written to the disk. */
export interface Waiting {
  id: string
  json: string
  bytes: number
  resolve: () => void
  reject: (error: unknown) => void
}

const GROUP_BYTES = 131_072
const CRC_AND_BREAKS = 10

export function recordOf(lead: LeadRecord): Pick<Waiting, 'id' | 'json' | 'bytes'> {
  const json = JSON.stringify(asSpooled(lead))
  return { id: lead.tracking_id, json, bytes: Buffer.byteLength(json) + CRC_AND_BREAKS }
}

const asSpooled = (lead: LeadRecord): LeadRecord => ({
  ...lead,
  lead_data: { ...lead.lead_data, flags: [...((lead.lead_data.flags as string[]) ?? []), 'spooled'] },
})

export const sizeOf = (group: Waiting[]): number => group.reduce((sum, { bytes }) => sum + bytes, 0)

export function takeGroup(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  const end = waiting.findIndex((each) => {
    bytes += each.bytes
    return bytes > GROUP_BYTES
  })
  return waiting.splice(0, end === -1 ? waiting.length : Math.max(end, 1))
}
