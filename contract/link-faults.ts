import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDate, Id } from './fields.ts'
import { counted } from './numbers.ts'

/**
 * What is wrong with a link, by what its clicks lack: the affiliate's reference, since its macro was not replaced or since
 * what stood there was cut or masked; or all of them, since it names no product.
 */
export const linkFaultReasons = ['unreplaced', 'changed', 'lost'] as const
export const LinkFaultReason = z.enum(linkFaultReasons)
export type LinkFaultReason = z.infer<typeof LinkFaultReason>

/** Days in which a fault is shown, today with them. */
export const LINK_FAULT_DAYS = 7

export const LinkFault = z.object({
  relationship_id: Id,
  issuer: Id,
  issuer_name: z.string(),
  /** Null where the link names none. */
  product_id: Id.nullable(),
  product_name: z.string().nullable(),
  reason: LinkFaultReason,
  /** As the link sent it last. */
  sample: z.string(),
  clicks: z.number().int(),
  last_day: CalendarDate,
})
export type LinkFault = z.infer<typeof LinkFault>

/** What came of them, and why, in one sentence without a name. */
export function linkFaultSentence({ reason, sample, clicks }: Pick<LinkFault, 'reason' | 'sample' | 'clicks'>): string {
  const arrived = `${counted(clicks, 'clic', 'clics')} de este enlace ${clicks === 1 ? 'llegó' : 'llegaron'}`
  switch (reason) {
    case 'unreplaced':
      return `${arrived} sin tu referencia: tu enlace manda ${sample} sin reemplazar`
    case 'changed':
      return `${arrived} con tu referencia cortada o cubierta: mide más de 255 letras o parece un dato personal`
    case 'lost':
      return `${arrived} sin un producto que exista${sample && ` (product_id=${sample})`} y no ${clicks === 1 ? 'fue un lead' : 'fueron leads'}: copia otra vez la URL de tracking`
  }
}

export const linkFaults = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/products/link-faults/',
    access: ['affiliate'],
    summary: `Los enlaces propios que en ${LINK_FAULT_DAYS} días perdieron la referencia o el producto de sus clics`,
    response: z.array(LinkFault),
  }),
}
