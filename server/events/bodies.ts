import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { AppError, badRequest } from '../http/errors.ts'
import type { App } from '../http/http.ts'
import { decodeText, readParameters } from '../http/outside-text.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
/** Libraries name none, or the one that they send by default, whatever the body is. */
const readable = new Set(['', 'application/json', 'text/json', 'text/plain', 'application/octet-stream', FORM])

const typeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

const unsupported = (message: string) => new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', message)

type ParseJson = (text: string) => Promise<unknown>
type ReadBody = (request: FastifyRequest, bytes: Buffer, parseJson: ParseJson) => Promise<unknown>

/** Makes the body of every call of this scope what `read` makes of its bytes, of whatever type it is. */
export function readBodies(scope: App, read: ReadBody): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: string | Buffer) =>
    read(request, bytes as Buffer, (text) => promisify(parse)(request, text)),
  )
}

/** JSON in whatever encoding and under whatever type that says nothing else, or the fields of a form. */
export const jsonOrForm: ReadBody = async (request, bytes, parseJson) => {
  const type = typeOf(request)
  const text = decodeText(bytes).trim()
  if (!readable.has(type) && !/^application\/[\w.-]+\+json$/.test(type))
    throw unsupported('El cuerpo debe ser JSON (application/json)')
  if (text === '') throw badRequest('El cuerpo está vacío', 'MALFORMED_JSON')
  if (type === FORM && !/^[{[]/.test(text)) return fieldsOf(readParameters(text))
  return parseJson(text)
}

/** The fields of a form, of whatever kind, or of an object in JSON; none of an empty body. */
export const formOrJson: ReadBody = async (request, bytes, parseJson) => {
  const type = typeOf(request)
  if (!bytes.length) return undefined
  if (type === MULTIPART) return fieldsOf(await partsOf(request, bytes))
  const text = decodeText(bytes).trim()
  if (text === '') return undefined
  if (!readable.has(type) && !type.endsWith('+json'))
    throw unsupported(`El cuerpo debe ser un formulario (${FORM} o ${MULTIPART}) o JSON (application/json)`)
  if (type.endsWith('json') || /^[{[]/.test(text)) {
    const [sent] = [await parseJson(text)].flat()
    return typeof sent === 'object' && sent !== null ? sent : undefined
  }
  return fieldsOf(readParameters(text))
}

async function partsOf(request: FastifyRequest, bytes: Buffer): Promise<[string, string][]> {
  try {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(bytes), { headers }).formData()
    return [...form].flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []))
  } catch {
    throw badRequest('El formulario está incompleto')
  }
}

/** The first of a name that says something; without a prototype, since a field may have the name of its members. */
function fieldsOf(parameters: readonly [string, string][]): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null)
  for (const [name, value] of parameters) if (!Object.hasOwn(fields, name)) fields[name] = value
  return fields
}
