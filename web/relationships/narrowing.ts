import type { Relationship } from '#contract/relationships.ts'
import { matches } from '#web/ui/matches.ts'
import type { Option } from '#web/ui/option.ts'

export const NO_FILTERS = { q: '', afiliado: '', emisor: '' }
export type RelationshipFilterTexts = typeof NO_FILTERS

const isChosen = (chosen: string, id: number): boolean => chosen === '' || Number(chosen) === id

export const passes = (row: Relationship, { q, afiliado, emisor }: RelationshipFilterTexts): boolean =>
  isChosen(afiliado, row.affiliate) &&
  isChosen(emisor, row.issuer) &&
  matches(q, [row.affiliate_name, row.issuer_name, row.notes])

/** The affiliates that have a relationship with the chosen issuer; all of them while none is chosen. */
export const affiliatesOf = <O extends Option<number>>(
  options: readonly O[],
  rows: readonly Relationship[],
  issuer: string,
): O[] =>
  options.filter(({ value }) => !issuer || rows.some((row) => row.affiliate === value && isChosen(issuer, row.issuer)))

/** The issuers that have a relationship with the chosen affiliate; all of them while none is chosen. */
export const issuersOf = <O extends Option<number>>(
  options: readonly O[],
  rows: readonly Relationship[],
  affiliate: string,
): O[] =>
  options.filter(
    ({ value }) => !affiliate || rows.some((row) => row.issuer === value && isChosen(affiliate, row.affiliate)),
  )
