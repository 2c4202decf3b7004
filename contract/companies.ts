import { z } from 'zod'
import {
  CompanyName,
  Email,
  Id,
  ListQuery,
  Moment,
  Money,
  OptionalPhone,
  OptionalUrl,
  PersonName,
  QueryId,
  Rfc,
  Status,
  Text,
} from './fields.ts'

/** What affiliates and issuers have in common; each noun's own file adds the rest. */
export const companyFields = {
  id: Id,
  company_name: z.string(),
  rfc: z.string(),
  address: z.string(),
  contact_name: z.string(),
  contact_phone: z.string(),
  contact_email: z.string(),
  url: z.string(),
  user_status: Status,
  created_at: Moment,
  updated_at: Moment,
}

/** Somebody who works at a company, as the other side of a relationship may see them. */
export const CompanyUser = z.object({
  id: Id.optional(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
})
export type CompanyUser = z.infer<typeof CompanyUser>

export const companyForm = {
  company_name: CompanyName,
  rfc: Rfc,
  contact_name: PersonName,
  contact_phone: OptionalPhone,
  contact_email: Email,
  url: OptionalUrl,
}

export const Address = Text.pipe(z.string().max(500, 'No puede exceder 500 caracteres'))
export const requiredAddress = (message: string) => z.string(message).pipe(Address).pipe(z.string().min(1, message))

/** What a new company may leave out. Updates must not have these defaults: they would empty what they do not mention. */
export const emptyByDefault = { contact_phone: OptionalPhone.default(''), url: OptionalUrl.default('') }

export const TOO_MANY_OLD_KEYS =
  'Hay demasiadas claves anteriores vigentes: revócalas, o cambia esta revocando la anterior de inmediato'
export const AFFILIATE_RFC_IN_USE = 'Ya existe un afiliado con este RFC'
export const ISSUER_RFC_IN_USE = 'Ya existe un emisor con este RFC'

/** The two that stand for the public at large and for foreigners; many companies may have them. */
export const genericRfcs = ['XAXX010101000', 'XEXX010101000']

/** Codes in `meta.warnings`: saved all the same, since the tax office itself has issued such keys (mexico 4.1). */
export const rfcWarningTexts = {
  RFC_DATE: 'La fecha del RFC no existe',
  RFC_CHECK_DIGIT: 'El dígito verificador del RFC no coincide',
} as const
export type RfcWarning = keyof typeof rfcWarningTexts

export const CompanyFilters = ListQuery.extend({
  status: Status.optional(),
  relationship_id: QueryId.optional(),
})
export type CompanyFilters = z.infer<typeof CompanyFilters>

/** What else a deletion takes along, for the confirm dialog (D20). */
export const Dependents = z.object({
  users: z.number(),
  relationships: z.number(),
  products: z.number(),
  commissions: z.number(),
  leads: z.number(),
  payments: z.number(),
  /** What its pairs earned and have not been paid; it stays payable. */
  open_balance: Money,
})
export type Dependents = z.infer<typeof Dependents>

/** The own API key as the settings show it, masked on screen after its first eight characters. */
export const OwnKey = z.string()

export const keyLabels = { api: 'API key', postback: 'Token de postback', signing: 'Secreto de firma' } as const
const KeyKind = z.enum(['api', 'postback', 'signing'])
export type KeyKind = z.infer<typeof KeyKind>

/** How a key is changed; without a body the one before is valid for another day. */
export const KeyChange = z
  .object({ revoke_old: z.boolean('revoke_old debe ser true o false').default(false) })
  .default({ revoke_old: false })
export type KeyChange = z.infer<typeof KeyChange>

/** Without a kind, of all kinds. */
export const OldKeys = z.object({ kind: KeyKind.optional() })

/** Readable in part: enough to tell one from another. */
const CompanyKey = z.object({
  id: Id,
  kind: KeyKind,
  prefix: z.string(),
  created_at: Moment,
  /** When a key that was changed ends. */
  expires_at: Moment.nullable(),
  last_used_at: Moment.nullable(),
  /** A network: /24 or /48. */
  last_used_from: z.string().nullable(),
})
export type CompanyKey = z.infer<typeof CompanyKey>

const CompanyPerson = z.object({
  id: Id,
  full_name: z.string(),
  email: z.string(),
  user_status: Status,
  created_at: Moment,
  last_login: Moment.nullable(),
  /** Deleted lately. */
  removed_at: Moment.nullable(),
})
export type CompanyPerson = z.infer<typeof CompanyPerson>

/** What was done with a company's keys and accounts. */
const AccessRecord = z.object({
  id: Id,
  created_at: Moment,
  action: z.string(),
  entity: z.enum(['affiliate', 'issuer', 'user']),
  /** How often on that day. */
  times: z.number(),
  kind: KeyKind.nullable(),
  revoked_old: z.boolean(),
  signature_required: z.boolean().nullable(),
  /** Whose account it was. */
  person: z.string().nullable(),
  /** Empty where a company reads of an administrator, or of the people of another company. */
  actor_name: z.string(),
  actor_role: z.string(),
})
export type AccessRecord = z.infer<typeof AccessRecord>

export const ACCESS_DAYS = 90
export const ACCESS_RECORDS = 50

/** Who can act for a company, and with what. */
export const CompanyAccess = z.object({
  keys: z.array(CompanyKey),
  /** Of an issuer. */
  signature_required: z.boolean(),
  /** Until when a signature with the API key counts; null: there is no signing secret yet. */
  key_signs_until: Moment.nullable(),
  people: z.array(CompanyPerson),
  trail: z.array(AccessRecord),
})
export type CompanyAccess = z.infer<typeof CompanyAccess>
