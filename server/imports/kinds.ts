import type { AppError } from '../http/errors.ts'
import { badFile } from './bad-file.ts'
import type { Entry } from './zip.ts'

/** Enough to see what a file is. */
export const KIND_BYTES = 4 * 1024

const SAVE = 'Ábrelo y guárdalo como Excel (.xlsx) o CSV.'
const HTML = `El archivo es una página web (HTML), aunque su nombre diga que es de Excel. ${SAVE}`
const PICTURE = 'El archivo es una imagen. Sube la tabla misma, como Excel (.xlsx) o CSV.'
const PACKED = 'El archivo está comprimido. Descomprímelo y sube el CSV o Excel que trae.'

/** How files begin that are no table, byte by byte as letters. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: these are bytes
const BEGINNINGS: readonly (readonly [begins: RegExp, message: string])[] = [
  [/^%PDF-/, 'El archivo es un PDF. Pide la tabla como Excel (.xlsx) o CSV.'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8|BM....\0\0|RIFF....WEBP|II\*\0|MM\0\*|....ftyp(heic|heix|mif1|avif))/s, PICTURE],
  [/^(\x1f\x8b|BZh\d|7z\xbc\xaf|Rar!|\xfd7zXZ|\x28\xb5\x2f\xfd|PK\x05\x06)/, PACKED],
  [/^\{\\rtf/, `El archivo es un documento de texto (RTF). ${SAVE}`],
  [/^\s*(\{\s*("|\})|\[\s*([[{"]|\]))/, 'El archivo es JSON. Guárdalo como CSV, con un renglón por lead.'],
]
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: these are bytes

const isHtml = /<(!doctype\s+html|html|head|body|table|meta|style)\b/i
const isSheetOf2003 = /urn:schemas-microsoft-com:office:spreadsheet/i

/** Throws what a file is, in words, and how to save it, where it can be seen that it is no table of ours. */
export function expectTable(head: Buffer): void {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  if (/^MIME-Version:/i.test(text)) throw badFile(HTML)
  const known = BEGINNINGS.find(([begins]) => begins.test(text))
  if (known) throw badFile(known[1])
  const markup = head.includes(0) ? text.replaceAll('\0', '').replace(/^(\xff\xfe|\xfe\xff)/, '') : text
  if (!/^\s*</.test(markup)) return
  if (isSheetOf2003.test(markup)) throw badFile(`El archivo es una hoja XML de Excel 2003. ${SAVE}`)
  if (isHtml.test(markup)) throw badFile(HTML)
  if (/^\s*<\?xml/.test(markup)) throw badFile(`El archivo es XML. ${SAVE}`)
}

export const isArchive = (head: Buffer): boolean => head.toString('latin1', 0, 4) === 'PK\x03\x04'
/** The container of the Excel before 2007, and of one that is encrypted. */
export const isContainer = (head: Buffer): boolean => head.toString('hex', 0, 4) === 'd0cf11e0'

const named = (name: string) => Buffer.from(name, 'utf16le')

/** What is in such a container, by the names of its streams; never a table of ours. */
export function containerOf(bytes: Buffer): AppError {
  if (bytes.includes(named('EncryptedPackage')))
    return badFile('El archivo de Excel tiene contraseña. Ábrelo, quítasela y guárdalo de nuevo.')
  if (bytes.includes(named('WordDocument'))) return badFile(`El archivo es de Word. ${SAVE}`)
  if (bytes.includes(named('Workbook')) || bytes.includes(named('Book')))
    return badFile('El archivo es de un Excel antiguo (.xls). Ábrelo y guárdalo como .xlsx, o como CSV.')
  return badFile('El archivo es de un Excel antiguo o tiene contraseña. Guárdalo como .xlsx sin ella, o como CSV.')
}

const ARCHIVES: readonly (readonly [holds: RegExp, message: string])[] = [
  [/^xl\/workbook\.bin$/i, 'El archivo es un libro binario de Excel (.xlsb). Ábrelo y guárdalo como .xlsx o CSV.'],
  [/^word\//i, `El archivo es de Word. ${SAVE}`],
  [/^ppt\//i, 'El archivo es de PowerPoint. Sube la tabla como Excel (.xlsx) o CSV.'],
  [/^Index(\.zip$|\/.*\.iwa$)/i, 'El archivo es de Numbers. Expórtalo como Excel (.xlsx) o CSV.'],
]

/** Throws what an archive is, where it is none of Excel. */
export function expectArchiveOfExcel(entries: readonly Entry[]): void {
  const known = ARCHIVES.find(([holds]) => entries.some(({ name }) => holds.test(name)))
  if (known) throw badFile(known[1])
  const holds = (part: string) => entries.some(({ name }) => name === part)
  if (holds('[Content_Types].xml')) return
  if (holds('content.xml') && holds('META-INF/manifest.xml'))
    throw badFile('El archivo es de LibreOffice (.ods). Ábrelo y guárdalo como Excel (.xlsx) o CSV.')
  throw badFile('El archivo es un .zip. Descomprímelo y sube el CSV o Excel que trae.')
}
