// What the oldest browsers that we support know (D92), from the compatibility data of MDN.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { FLOOR } from './floor.ts'

interface Support {
  version_added: string | false
  version_removed?: string
  flags?: unknown
  prefix?: string
  alternative_name?: string
}
interface Feature {
  __compat?: { support: Record<string, Support | Support[]> }
}
export type Features = Feature & { [name: string]: Features }

const data = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'))
export const { api, css, html, javascript } = data as Record<'api' | 'css' | 'html' | 'javascript', Features>
export const builtins = javascript.builtins as Features

/** `≤13.1` is no later than that; `preview` is not out. */
const versionOf = ({ version_added }: Support): number =>
  version_added ? Number(version_added.replace(/^≤/, '')) || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY

/** An entry with an end is followed by one that knows it better. */
const isWithin = (each: Support, version: number): boolean =>
  versionOf(each) <= version && !(each.version_removed && Number(each.version_removed) <= version)

const hasIn = (support: Support | Support[] | undefined, version: number): boolean =>
  [support ?? []]
    .flat()
    .some((each) => !(each.flags || each.prefix || each.alternative_name) && isWithin(each, version))

/** Whether one of our browsers lacks it; false for what the data do not have. */
export const isTooNew = (feature: Feature | undefined): boolean =>
  feature?.__compat !== undefined &&
  Object.entries(FLOOR).some(([browser, version]) => !hasIn(feature.__compat?.support[browser], version))
