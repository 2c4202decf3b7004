import { z } from 'zod'
import { BulkOutcome, StatusForm } from './bulk.ts'
import { endpoint } from './endpoint.ts'
import { cleanText, Id, IdParams, Line, ListQuery, Moment, Money, QueryId, Status, Text } from './fields.ts'
import { Announced } from './rates.ts'
import { everyone } from './roles.ts'
import { Validation } from './validation.ts'
import { parseUrl, WRITTEN_OUT } from './web-address.ts'

/** Where the lead's id goes in the issuer's address. */
const PLACEHOLDER = '{tracking_id}'
const ENCODED_PLACEHOLDER = /%7Btracking_id%7D/gi

/**
 * The issuer's own address with our id in its placeholder. Plain text replacement: parsing first would turn
 * {tracking_id} in a path into %7B…%7D. The id is letters, digits and hyphens, so it needs no escaping; letters that no
 * header may carry (á, ñ) are percent-encoded, as a browser would send them.
 */
export const destination = (redirectUrl: string, trackingId: string): string =>
  redirectUrl
    .replaceAll(PLACEHOLDER, trackingId)
    .replace(ENCODED_PLACEHOLDER, trackingId)
    .replace(/[^\p{ASCII}]+/gu, encodeURIComponent)

const IP_LITERAL = /^\[|^\d+(\.\d+){3}$/

/** security 2.6: what a stored target must be, so that a link never leads where the issuer did not mean. */
function isSafeTarget(url: string): boolean {
  const parsed = parseUrl(url)
  if (parsed === null || !WRITTEN_OUT.test(url)) return false
  const host = parsed.hostname.replace(/\.$/, '')
  if (!host.includes('.') || IP_LITERAL.test(host) || host.endsWith('.localhost')) return false
  const filled = parseUrl(destination(url, '0198c0de-0000-7000-8000-000000000000'))
  return filled?.origin === parsed.origin
}

/** Refused, since an address without them is another one. */
const WithoutHidden = z
  .string()
  .refine((url) => cleanText(url) === url.normalize('NFC'), 'La URL contiene caracteres invisibles o de control')

/** What one wrong character makes of an address: every conversion of the product would be lost (D90). */
const MISTAKES: [RegExp, (found: string) => string][] = [
  [/\{\{|\}\}|(?:%7B){2}|(?:%7D){2}/i, () => 'Escribe {tracking_id} con una sola llave de cada lado'],
  [/&(?:amp|#0*38|#x0*26);/i, (found) => `La URL trae ${found} donde va &: corrígelo`],
  [/["“”‘’«»\u0060]|%22|'(?=[{%]|$)/i, () => 'La URL trae comillas: quítalas'],
  [/(?<=\?[^#]*)\?/, () => 'La URL trae dos signos ?: une los parámetros con &'],
  [
    /(?:\{|%7B)(?!tracking_id(?:\}|%7D))[^{}]*?(?:\}|%7D)/i,
    (found) => `Solo se reemplaza {tracking_id}: quita ${found.replace(/%7B/i, '{').replace(/%7D/i, '}')}`,
  ],
]

const mistakeIn = (url: string): string | undefined => {
  for (const [pattern, say] of MISTAKES) {
    const [found] = pattern.exec(url) ?? []
    if (found !== undefined) return say(found)
  }
  return undefined
}

export const RedirectUrl = WithoutHidden.pipe(Text).pipe(
  z
    .string()
    .max(2048, 'La URL es demasiado larga')
    .refine(isSafeTarget, 'Debe ser una URL válida')
    .superRefine((url, context) => {
      const message = mistakeIn(url)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .refine(
      (url) => mistakeIn(url) !== undefined || url.search(ENCODED_PLACEHOLDER) >= 0 || url.includes(PLACEHOLDER),
      'La URL debe incluir el parámetro {tracking_id} para el tracking',
    ),
)

/** redirect_url never reaches an affiliate; relationship_id only where the viewer has one for this product. */
export const Product = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  redirect_url: z.string().optional(),
  issuer: Id,
  issuer_name: z.string(),
  product_status: Status,
  relationship_id: Id.nullish(),
  /** The affiliate's own link without parameters of its own, absolute. */
  tracking_url: z.string().optional(),
  /**
   * What the affiliate that reads it earns for a lead at a paying step, and since when: by its own commission, or by the
   * product's default; null while nothing is set. What is earned today is validated so many days, and with `explicit` it
   * has to be approved too.
   */
  commission: z
    .object({
      payout: Money,
      since: Moment,
      next: Announced.nullable(),
      /** Each paying step, in the order of the flow; one that has no amount of its own pays `payout`. */
      steps: z.array(z.object({ id: Id, name: z.string(), payout: Money, since: Moment, next: Announced.nullable() })),
      validation: Validation,
      validation_days: z.number().int(),
    })
    .nullish(),
  created_at: Moment,
  updated_at: Moment,
})
export type Product = z.infer<typeof Product>

export const ProductCreate = z.object({
  name: Line.pipe(
    z
      .string()
      .min(2, 'El nombre debe tener al menos 2 caracteres')
      .max(255, 'El nombre no puede exceder 255 caracteres'),
  ),
  description: Text.pipe(
    z
      .string()
      .min(10, 'La descripción debe tener al menos 10 caracteres')
      .max(5000, 'La descripción no puede exceder 5000 caracteres'),
  ),
  redirect_url: RedirectUrl,
  issuer_id: z.number('Debe seleccionar un emisor').int().positive('Debe seleccionar un emisor'),
})
export type ProductCreate = z.infer<typeof ProductCreate>

export const ProductUpdate = ProductCreate.omit({ issuer_id: true })
  .extend({ id: Id, product_status: Status })
  .partial()
export type ProductUpdate = z.infer<typeof ProductUpdate>

export const ProductFilters = ListQuery.extend({
  name: z.string().max(255).optional(),
  issuer_id: QueryId.optional(),
  status: Status.optional(),
})
export type ProductFilters = z.infer<typeof ProductFilters>

export const products = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/products/',
    access: everyone,
    summary: 'Productos; el emisor ve los suyos, el afiliado los que puede promover',
    query: ProductFilters,
    response: z.array(Product),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/products/:id/',
    access: everyone,
    summary: 'Un producto',
    params: IdParams,
    response: Product,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/products/',
    access: ['admin'],
    summary: 'Crear un producto',
    body: ProductCreate,
    response: Product,
    status: 201,
    message: 'Producto creado exitosamente',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/products/:id/',
    access: ['admin'],
    summary: 'Actualizar un producto',
    params: IdParams,
    body: ProductUpdate,
    response: Product,
    message: 'Producto actualizado exitosamente',
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/v1/products/status/',
    access: ['admin'],
    summary: 'Activar o desactivar hasta 500 productos; responde qué pasó con cada uno',
    body: StatusForm,
    response: z.array(BulkOutcome),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/products/:id/',
    access: ['admin'],
    summary: 'Eliminar un producto con sus pasos y comisiones',
    params: IdParams,
    status: 204,
  }),
}
