import { escaped } from '../http/escaped.ts'

/** Markup that was made here. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = string | number | Html | Part[]
const write = (part: Part): string => {
  if (part instanceof Html) return part.text
  return Array.isArray(part) ? part.map(write).join('') : escaped(String(part))
}

/** Everything inserted into the markup is escaped unless it was made here. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]) =>
  new Html(strings.map((text, index) => text + write(parts[index] ?? '')).join(''))

export const slug = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
