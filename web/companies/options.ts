import { type Option, optionsByName } from '#web/ui/option.ts'

export const companyOptions = (rows: readonly { id: number; company_name: string }[]): Option<number>[] =>
  optionsByName(rows.map(({ id, company_name }) => [id, company_name]))
