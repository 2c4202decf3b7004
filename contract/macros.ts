import { z } from 'zod'
import { cleanText } from './fields.ts'
import { parseUrl, WRITTEN_OUT } from './web-address.ts'

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const PARAMS = [
  ...['sub1', 'sub2', 'sub3', 'sub4', 'sub5', 'sub6', 'sub7', 'sub8', 'sub9', 'sub10'],
  ...['gclid', 'fbclid', 'ttclid', 'msclkid', 'wbraid', 'gbraid'],
] as const

/** What may stand between braces in the address of a receiver, with what it is replaced by. */
export const macros: Readonly<Record<string, string>> = {
  external_id: 'Tu identificador del clic',
  tracking_id: 'Nuestro identificador del clic',
  event: 'Nombre del paso',
  event_type: 'Tipo del evento',
  status: 'Estado, con tus palabras',
  event_id: 'Identificador de la entrega: se repite si se reenvía',
  step_id: 'Número del paso',
  payout: 'Comisión',
  currency: 'Moneda',
  commission_status: 'Estado de la comisión',
  reason: 'Motivo del rechazo',
  product_id: 'Producto',
  relationship_id: 'Relación',
  ...Object.fromEntries(UTM.map((name) => [name, `Parámetro ${name} del clic`])),
  ...Object.fromEntries(PARAMS.map((name) => [name, `Parámetro ${name} del clic`])),
  timestamp: 'Momento, en segundos',
  seq: 'Número que crece con cada entrega',
}

export type MacroValues = Partial<Record<string, string>>

const MACRO = /\{([^{}]*)\}/g

/** Percent-encoded, so that a value stays one: it cannot add a parameter or leave its place in the path. */
export const fillMacros = (template: string, values: MacroValues): string =>
  template.replace(MACRO, (_, name: string) => encodeURIComponent(values[name] ?? '').replace(/^\.{1,2}$/, ''))

/** security 2.8; whether the host is a public one only the server can say. */
function isTemplate(url: string): boolean {
  const [one, other] = ['a', 'b.c/d'].map((value) =>
    parseUrl(fillMacros(url, Object.fromEntries(Object.keys(macros).map((name) => [name, value])))),
  )
  return WRITTEN_OUT.test(url) && one != null && other != null && one.origin === other.origin
}

export const NOT_PUBLIC = 'La dirección debe ser https y de un equipo público.'
const unknownMacro = (name: string): string => `La macro {${name}} no existe.`

export const TargetTemplate = z
  .string()
  .trim()
  .min(1, 'La dirección es requerida')
  .max(2048, 'La dirección es demasiado larga')
  .refine((url) => cleanText(url) === url, 'La dirección contiene caracteres invisibles o de control')
  .superRefine((url, context) => {
    for (const [, name = ''] of url.matchAll(MACRO))
      if (!Object.hasOwn(macros, name)) context.addIssue({ code: 'custom', message: unknownMacro(name) })
  })
  .refine(isTemplate, NOT_PUBLIC)
