import type { Dependents } from '#contract/companies.ts'
import { counted } from '#web/ui/format.ts'

type Counts = Omit<Dependents, 'open_balance'>
type Counted = keyof Counts

const words: Record<Counted, [one: string, many: string]> = {
  users: ['usuario', 'usuarios'],
  relationships: ['relación', 'relaciones'],
  products: ['producto', 'productos'],
  commissions: ['comisión', 'comisiones'],
  leads: ['lead', 'leads'],
  payments: ['pago', 'pagos'],
}

const list = new Intl.ListFormat('es-MX')

const inWords = (dependents: Counts, names: readonly Counted[]): string =>
  list.format(names.filter((name) => dependents[name] > 0).map((name) => counted(dependents[name], ...words[name])))

/** '2 usuarios, 1 relación y 4 comisiones': what a removal also removes, and what stays; '' for nothing. */
export const countsOf = (dependents: Counts): { going: string; staying: string } => ({
  going: inWords(dependents, ['users', 'relationships', 'products', 'commissions']),
  staying: inWords(dependents, ['leads', 'payments']),
})
