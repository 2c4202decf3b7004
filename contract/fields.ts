import { z } from 'zod'
import { inPesos, subtractAmounts } from './money.ts'
import { dateInMexico } from './time.ts'
import { cleanEmail, cleanMoney, cleanPhone, cleanRfc, cleanUrl, isRfc } from './typed.ts'
import { parseUrl } from './web-address.ts'

/** Row ids: positive integers that JSON numbers hold exactly (D69). */
export const Id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** An id as it stands in a path or a query. */
export const QueryId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'Debe ser un identificador válido')
  .transform(Number)
export const IdParams = z.object({ id: QueryId })

/** A moment, ISO 8601 with Z and milliseconds. */
export const Moment = z.string()

/** A calendar date, yyyy-MM-dd, in America/Mexico_City; never turned into a Date. */
export const CalendarDate = z.iso.date('Fecha inválida')

const FIRST_DAY = '2000-01-01'
const YEARS_AHEAD = 5
export const DATE_RANGE = 'La fecha debe estar entre el 01/01/2000 y cinco años después de hoy'

function isInRange(day: string): boolean {
  const today = dateInMexico()
  const last = `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`
  return FIRST_DAY <= day && day <= last
}

/** One that somebody gives: a typed 0026 is not a year (D95). */
export const GivenDate = CalendarDate.refine((day) => !/^\d{4}-\d{2}-\d{2}$/.test(day) || isInRange(day), DATE_RANGE)

/** Pesos as decimal text with two decimals, e.g. "1500.00"; may be negative where a ledger corrects itself. */
export const Money = z.string()

/**
 * Control characters (tabs and line breaks stay) and the controls that turn the writing direction, which let a text
 * pretend to be another; security 2.7.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const INVISIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069\uD800-\uDFFF]/gu

/** Text from outside as we keep it: NFC, without control characters or lone surrogates (neither fits a database text). */
export const cleanText = (text: string): string => text.replace(INVISIBLE, '').normalize('NFC')

/** Free text: cleaned and trimmed. Put the length rules after it. */
export const Text = z.string().transform((text) => cleanText(text).trim())

/** A name or label on one line, as headers, files and letters have them. */
export const Line = Text.transform((text) => text.replace(/[\t\r\n\u0085\u2028\u2029]+/g, ' '))

const text = (rules: z.ZodString) => Text.pipe(rules)

export const REQUIRED = 'Este campo es requerido'

export const CompanyName = Line.pipe(
  z.string().min(2, 'Debe tener al menos 2 caracteres').max(100, 'No puede exceder 100 caracteres'),
)

export const PersonName = text(
  z
    .string()
    .min(2, 'Debe tener al menos 2 caracteres')
    .max(100, 'No puede exceder 100 caracteres')
    // Some letters and marks show nothing.
    .regex(/^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{M} ]+$/u, 'Solo se permiten letras, espacios y acentos'),
)

const EMAIL_FORMAT = 'Formato de email inválido. Ejemplo: usuario@empresa.com'

/** The login form's own pattern (specification section 5): whoever is saved with another address could not sign in. */
export const EMAIL_PATTERN = /^[A-Za-z0-9._-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}$/

/** Nothing is missing rather than malformed; aborting instead would also silence the rules between fields. */
const EMAIL_OR_NOTHING = new RegExp(`^$|${EMAIL_PATTERN.source}`)

export const Email = z
  .string()
  .transform(cleanEmail)
  .pipe(
    z
      .string()
      .toLowerCase()
      .min(1, 'El correo electrónico es requerido')
      .max(254, EMAIL_FORMAT)
      .regex(EMAIL_OR_NOTHING, EMAIL_FORMAT),
  )

/** Kept as typed: no trimming, no case folding (ASVS 6.2.8). */
export const NewPassword = z
  .string()
  .min(8, 'La contraseña debe tener al menos 8 caracteres')
  .max(128, 'La contraseña no puede exceder 128 caracteres')

/** 12 characters for companies, 13 for persons; either is taken from everybody and no check digit refuses (mexico 4.1). */
export const Rfc = z
  .string()
  .transform(cleanRfc)
  .pipe(
    z
      .string()
      .refine((rfc) => [12, 13].includes([...rfc].length), 'RFC debe tener entre 12 y 13 caracteres')
      .refine((rfc) => ![12, 13].includes([...rfc].length) || isRfc(rfc), {
        error: 'RFC debe tener 12 o 13 caracteres en formato válido',
      }),
  )

const PHONE_FORMAT = 'Teléfono debe tener el formato +525512345678'

/** `+52` and ten digits, or nothing. The bare prefix that the field starts with counts as nothing. */
export const OptionalPhone = z
  .string()
  .transform(cleanPhone)
  .pipe(
    z
      .string()
      .regex(/^$|^\+52\d*$/, 'Solo se permiten números después de +52')
      .regex(/^$|^\+52\d{10}$/, PHONE_FORMAT),
  )

/** An http(s) address whose host has a dot, or nothing. */
export const OptionalUrl = Text.transform(cleanUrl).pipe(
  z
    .string()
    .max(2048, 'La URL es demasiado larga')
    .refine((url) => url === '' || isWebAddress(url), 'Debe ser una URL válida (http o https)'),
)

function isWebAddress(url: string): boolean {
  const parsed = parseUrl(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.hostname.includes('.')
}

/** The integer digits of an amount that a person types, and of what the database holds as a sum of many. */
const AMOUNT_DIGITS = 10
export const TOTAL_DIGITS = 16

const PAYOUT_MAX = '10000000.00'
export const PAYOUT_TOO_LARGE = `El payout no puede exceder ${inPesos(PAYOUT_MAX)}`

/** What one lead can earn by one step: more is a slip of the hand, or worse. */
export const payoutText = (required: string) =>
  amountText(required).refine((amount) => !subtractAmounts(PAYOUT_MAX, amount).startsWith('-'), PAYOUT_TOO_LARGE)

/** Decimal pesos >= 0 with up to two decimals; the output always has two decimals. */
export const amountText = (required: string, digits = AMOUNT_DIGITS) =>
  z
    .string(required)
    .transform(cleanMoney)
    .pipe(
      z
        .string()
        .min(1, required)
        .regex(new RegExp(`^\\d{1,${digits}}(\\.\\d{1,2})?$`), 'Formato de monto inválido'),
    )
    .transform(twoDecimals)

/** The same of either sign; never '-0.00'. */
export const signedAmountText = (required: string) =>
  z
    .string(required)
    .transform(cleanMoney)
    .pipe(
      z
        .string()
        .min(1, required)
        .regex(new RegExp(`^-?\\d{1,${AMOUNT_DIGITS}}(\\.\\d{1,2})?$`), 'Formato de monto inválido'),
    )
    .transform((amount) => {
      const digits = twoDecimals(amount.replace('-', ''))
      return amount.startsWith('-') && digits !== '0.00' ? `-${digits}` : digits
    })

/** A sum as an answer gave it: of either sign, with two decimals. */
export const SignedSum = z.string().regex(/^-?\d{1,22}\.\d{2}$/, 'Formato de monto inválido')

const twoDecimals = (amount: string): string => {
  const [whole = '0', cents = ''] = amount.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

/** active or inactive, as companies, products and relationships carry it. */
export const Status = z.enum(['active', 'inactive'], 'Estado es requerido')
export type Status = z.infer<typeof Status>
export const statusLabels: Record<Status, string> = { active: 'Activo', inactive: 'Inactivo' }

/** Lists are whole up to so many rows, then cut and marked (D54). */
export const WHOLE_LIST = 5000

/** In the document of the API they are the numbers that they stand for. */
const described = (minimum: number) => ({ type: 'integer', minimum, pattern: undefined })

const COUNT = /^0*[1-9]\d{0,11}$/

/** From 1 on. Any page may be asked for; one beyond the last is empty (D50). */
export const PageNumber = z
  .string()
  .regex(COUNT, 'Debe ser un número de página válido')
  .transform(Number)
  .meta(described(1))

/** How many rows a page has; whoever asks for more than 100 gets 100 (D50). */
export const PageSize = z
  .string()
  .regex(COUNT, 'Debe ser un número de filas válido')
  .transform((size) => Math.min(Number(size), 100))
  .meta(described(1))

/** Optional paging of lists that are whole by default (D54). */
export const ListQuery = z.object({
  search: z.string().max(255).optional(),
  page: PageNumber.optional(),
  page_size: PageSize.optional(),
  /** So many rows are left out at the beginning: what was cut off a whole list follows on those that are known. */
  offset: z
    .string()
    .regex(/^\d{1,12}$/, 'Debe ser un número de filas válido')
    .transform(Number)
    .meta(described(0))
    .optional(),
})
export type ListQuery = z.infer<typeof ListQuery>

export const Pagination = z.object({
  count: z.number().int(),
  current_page: z.number().int(),
  total_pages: z.number().int(),
  page_size: z.number().int(),
})
export type Pagination = z.infer<typeof Pagination>
