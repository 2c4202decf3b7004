import { z } from 'zod'
import {
  CompanyName,
  Email,
  Id,
  ListQuery,
  Moment,
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
})
export type Dependents = z.infer<typeof Dependents>

/** The own API key as the settings show it, masked on screen after its first eight characters. */
export const OwnKey = z.string()
