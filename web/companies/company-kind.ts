import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { Affiliate } from '#contract/affiliates.ts'
import type { CompanyUser, Dependents } from '#contract/companies.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Status } from '#contract/fields.ts'
import type { FirstPerson } from '#contract/users.ts'
import type { Seen } from '#web/api/client.ts'
import type { TableQuery } from '#web/table/DataTable.tsx'
import type { CompanyWithUser } from './saves.ts'

/** What the screens of affiliates and of issuers both show. */
export type Company = Omit<Affiliate, 'users'> & { users?: CompanyUser[] | undefined }

export interface CompanyForm {
  company_name: string
  rfc: string
  address: string
  contact_name: string
  contact_phone: string
  contact_email: string
  url: string
  user_status?: Status | undefined
}
export type CompanyCreateForm = CompanyForm & { user: FirstPerson }
/** `made`: the company is there already, and its user alone is to be created. */
type CompanyCreation = CompanyCreateForm & { made?: number | undefined }

/** What a dialog needs of a mutation. */
interface Save<Values, Result = unknown> {
  mutate: (values: Values, options: { onSuccess: (result: Result) => void }) => void
  isPending: boolean
  error: Error | null
}

/** The texts, calls and rules in which affiliates and issuers differ. */
export interface CompanyKind {
  role: 'affiliate' | 'issuer'
  icon: LucideIcon
  texts: {
    one: string
    many: string
    title: string
    description: string
    create: string
    edit: string
    loading: string
    failed: string
    empty: string
    emptyHint: string
    /** What 'Inactivo' does to it. */
    inactive: string
  }
  addressOptional: boolean
  /** An affiliate begins active; its status is a matter of editing. */
  statusOnCreate: boolean
  /** Who may not make them reads so on the screen. */
  calls: { update: Endpoint; remove: Endpoint }
  useList: () => TableQuery<Company>
  useDependents: (id: number) => UseQueryResult<Dependents>
  useCreate: () => Save<CompanyCreation, CompanyWithUser>
  useUpdate: () => Save<CompanyForm & Seen>
  useRemove: () => Save<number>
}
