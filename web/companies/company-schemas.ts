import type { z } from 'zod'
import { AffiliateCreate, AffiliateUpdate } from '#contract/affiliates.ts'
import { Status } from '#contract/fields.ts'
import { IssuerCreate, IssuerUpdate } from '#contract/issuers.ts'
import { FirstPerson } from '#contract/users.ts'
import type { CompanyCreateForm, CompanyForm, CompanyKind } from './company-kind.ts'

interface Schemas {
  create: z.ZodType<CompanyCreateForm>
  edit: z.ZodType<CompanyForm>
}

/** What the dialogs check with; the lists show their rows without. */
export const schemas: Record<CompanyKind['role'], Schemas> = {
  affiliate: {
    create: AffiliateCreate.omit({ user_status: true }).extend({ user: FirstPerson }),
    edit: AffiliateUpdate.omit({ id: true }).required(),
  },
  issuer: {
    create: IssuerCreate.extend({ user_status: Status, user: FirstPerson }),
    edit: IssuerUpdate.omit({ id: true }).required(),
  },
}
