import { type Links, renderFrame } from './frame.ts'
import { type Html, html, slug } from './html.ts'

/** The parts of an OpenAPI document that ours has and the page shows. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, { description?: string }>
    responses: Record<string, { description: string }>
  }
}

export interface Schema {
  type?: string | string[]
  description?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  additionalProperties?: Schema | boolean
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: Content & { description?: string }
  responses: Record<
    string,
    Content & { description?: string; $ref?: string; headers?: Record<string, { schema: Schema } | { $ref: string }> }
  >
}

/** The same document for people, in the order of the tags. */
export function renderPage(document: OpenApi, links: Links): string {
  const groups = document.tags
    .map(({ name }) => ({ name, calls: callsOf(document, name) }))
    .filter(({ calls }) => calls.length)
  const main = html`<h1>${document.info.title}</h1>
${document.info.description.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)}
${renderErrors(document)}
${groups.map(({ name, calls }) => html`<section aria-labelledby="${slug(name)}"><h2 id="${slug(name)}">${name}</h2>${calls}</section>`)}`
  const sections = html`<ul>${groups.map(({ name }) => html`<li><a href="#${slug(name)}">${name}</a></li>`)}</ul>`
  return renderFrame({ title: document.info.title, path: links.reference, sections, main, links })
}

const callsOf = (document: OpenApi, tag: string): Html[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // An address that nobody should write against any more is in the document alone.
      .filter(([, operation]) => operation.tags.includes(tag) && !operation.deprecated)
      .map(([method, operation]) => renderCall(method, path, operation)),
  )

const renderErrors = ({ components }: OpenApi) => html`<details><summary>Respuestas de error</summary>
<table><thead><tr><th scope="col">HTTP</th><th scope="col">Cuándo</th></tr></thead><tbody>
${Object.entries(components.responses).map(([name, { description }]) => html`<tr><th scope="row">${name.replace(/\D/g, '')}</th><td>${description}</td></tr>`)}
</tbody></table></details>`

function renderCall(method: string, path: string, operation: Operation): Html {
  const all = Object.entries(operation.responses)
  const answers = all.filter(([status]) => Number(status) < 400)
  const errors = all.filter(([status]) => Number(status) >= 400)
  const answer = answers[0] && schemaOf(answers[0][1])
  const body = operation.requestBody && schemaOf(operation.requestBody)
  return html`<details class="call" id="${slug(operation.operationId)}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span class="what">${operation.summary}</span></summary>
<p>${operation.description}</p>
${operation.parameters?.length ? fieldTable('Parámetros', operation.parameters.map(parameterRow)) : ''}
${body ? fieldTable('Cuerpo', fieldRows(body)) : ''}
${answers.map(
  ([status, { description }]) => html`<h3>Respuesta ${status}</h3>
<p>${description ?? ''}</p>
`,
)}${answer ? fieldTable('data', fieldRows(answer.properties?.data ?? answer)) : ''}
<p class="errors">Errores: ${errors.map(([status]) => status).join(', ')}</p>
</details>`
}

const schemaOf = (part: Content): Schema | undefined => Object.values(part.content ?? {})[0]?.schema

interface Row {
  name: string
  type: string
  required: boolean
  notes: string
}

const fieldTable = (caption: string, rows: Row[]): Html => html`<div class="scroll"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Campo</th><th scope="col">Tipo</th><th scope="col">Notas</th></tr></thead><tbody>
${rows.map((row) => html`<tr><th scope="row"><code>${row.name}</code>${row.required ? html` <abbr title="requerido">*</abbr>` : ''}</th><td>${row.type}</td><td>${row.notes}</td></tr>`)}
</tbody></table></div>`

const places: Record<string, string> = { path: 'en la dirección', query: 'en la consulta', header: 'encabezado' }

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): Row => ({
  name,
  type: typeName(schema),
  required: required ?? false,
  notes: [places[place], description, notesOf({ ...schema, description: '' })].filter(Boolean).join('; '),
})

/** The fields of an object with those of the objects inside it, as `outer.inner`. */
function fieldRows(schema: Schema, name = '', required = true): Row[] {
  const inner = schema.items ?? variantWithFields(schema) ?? schema
  const own =
    name || !inner.properties
      ? [{ name: name || '(todo)', type: typeName(schema), required, notes: notesOf(schema) }]
      : []
  const prefix = schema.items ? `${name}[].` : name && `${name}.`
  const fields = Object.entries(inner.properties ?? {}).flatMap(([field, child]) =>
    fieldRows(child, prefix + field, inner.required?.includes(field) ?? false),
  )
  return [...own, ...fields]
}

const variantsOf = (schema: Schema) => schema.anyOf ?? []
const variantWithFields = (schema: Schema) => variantsOf(schema).find(({ properties }) => properties)

const typeNames: Record<string, string> = {
  string: 'texto',
  integer: 'entero',
  number: 'número',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
  null: 'null',
}

function typeName(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const variants = variantsOf(schema)
  if (variants.length) return [...new Set(variants.map(typeName))].join(' o ')
  if (schema.items) return `lista de ${typeName(schema.items)}`
  const types = [schema.type ?? []].flat()
  return types.length ? types.map((type) => typeNames[type] ?? type).join(' o ') : 'cualquiera'
}

const formats: Record<string, string> = { date: 'yyyy-MM-dd', 'date-time': 'ISO 8601', uri: 'URL', uuid: 'UUID' }

function notesOf(schema: Schema): string {
  const shown = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  return [
    schema.description?.replace(/\.$/, ''),
    schema.format && (formats[schema.format] ?? `formato ${schema.format}`),
    schema.minLength === 1 ? 'no vacío' : shown(schema.minLength) && `mínimo ${schema.minLength} caracteres`,
    shown(schema.maxLength) && `máximo ${schema.maxLength} caracteres`,
    shown(schema.minimum) && `desde ${schema.minimum}`,
    shown(schema.maximum) && `hasta ${schema.maximum}`,
    shown(schema.maxItems) && `máximo ${schema.maxItems} elementos`,
    schema.default !== undefined && `si falta: ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join('; ')
}
