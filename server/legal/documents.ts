import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'
import { codeOf, messageOf, OperatorError } from '#db/operator-error.ts'
import type { RetentionPeriods } from '../privacy/retention.ts'

/** Who is responsible for the site, as configured; every part may be missing. */
export interface Operator {
  name: string | undefined
  address: string | undefined
  email: string | undefined
}

/** Values for the {{names}} in a text, the operator's own texts included. */
interface Blanks extends Operator {
  site: string
  retention: RetentionPeriods
}

/** Rendered; `incomplete` when the operator's details are missing in it. */
export interface LegalText {
  html: string
  incomplete: boolean
}

const LARGEST = 512 * 1024

/** Markdown as people write it. No HTML passes, no script address becomes a link, nothing is loaded from elsewhere. */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false }).disable(['image', 'code'])
markdown.linkify.set({ fuzzyLink: false })

/** Text that Markdown shows as it is. */
const verbatim = (text: string): string => text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&')

const MISSING = {
  responsable: '(nombre o razón social por indicar)',
  domicilio: '(domicilio por indicar)',
  correo: '(correo por indicar)',
}

export function renderLegal(text: string, { name, address, email, site, retention }: Blanks): LegalText {
  const values: Record<string, string | undefined> = {
    responsable: name ? verbatim(name) : undefined,
    domicilio: address ? verbatim(address) : undefined,
    correo: email ? `<${email}>` : undefined,
    sitio: `<${site}>`,
    dias_rechazados: String(retention.rejectedDays),
    dias_direcciones: String(retention.addressDays),
    meses_datos: String(retention.dataMonths),
    anios_registro: String(retention.recordYears),
  }
  let incomplete = false
  const filled = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (written, blank: string) => {
    if (!Object.hasOwn(values, blank)) return written
    const value = values[blank]
    if (value === undefined) incomplete = true
    return value ?? verbatim(MISSING[blank as keyof typeof MISSING])
  })
  return { html: markdown.render(filled), incomplete }
}

/** The operator's own text, where there is one; a file that cannot be used prevents the start. */
export function readLegal(variable: string, path: string | undefined, standard: string): string {
  const own = path !== undefined
  const refuse = (why: string, cause?: unknown) =>
    new OperatorError(`No se puede usar ${variable} (${path}): ${why}.`, { cause })
  const bytes = own ? readOwn(path, refuse) : readFileSync(new URL(standard, import.meta.url))
  if (bytes.length > LARGEST) throw refuse('el archivo pasa de 512 KB')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.trim()) throw refuse('el archivo está vacío')
    return text
  } catch (error) {
    throw error instanceof TypeError ? refuse('no es texto en UTF-8', error) : error
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'no existe',
  EISDIR: 'es una carpeta',
  EACCES: 'falta el permiso para leerlo',
}

function readOwn(path: string, refuse: (why: string, cause?: unknown) => OperatorError): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw refuse(REASONS[codeOf(error) ?? ''] ?? messageOf(error), error)
  }
}
