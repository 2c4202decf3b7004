import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { clientFiles, clientPath } from '#contract/clients.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { findFont } from '../http/font.ts'
import type { App } from '../http/http.ts'
import { sendPage } from '../http/page.ts'
import { amend, securitySchemes } from './document.ts'
import { renderGuides } from './guides.ts'
import { info } from './info.ts'
import { limitHeaders } from './limit-headers.ts'
import { tags } from './nouns.ts'
import { type OpenApi, renderPage } from './page.ts'
import { errorResponses, errorSchema } from './refusals.ts'

const DOCUMENT_PATH = '/api/v1/openapi.json'
const PAGE_PATH = '/api/docs/'
const STYLE_PATH = '/api/docs/estilo.css'

/** A page of text, one stylesheet, one font and the logo: nothing else may run, load or frame it. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Describes what `serve()` registers, so it must come before the routes. */
export async function documentApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      servers: [{ url: publicUrl }],
      tags,
      components: {
        securitySchemes,
        schemas: { Error: errorSchema },
        headers: limitHeaders,
        responses: errorResponses,
      },
    },
    transform: (route) =>
      isOurs(route.url) && route.schema
        ? toJsonSchema(route as Parameters<typeof toJsonSchema>[0])
        : { schema: { hide: true }, url: route.url },
    transformObject: (document) => amend(documentOf(document)) as never,
  })
  serveDocument(app)
}

/** A text that is transformed first has its limits after the transform, where the conversion does not look. */
function showLimits({ zodSchema, jsonSchema }: Override): void {
  if (!(zodSchema instanceof z.ZodPipe) || jsonSchema.type !== 'string') return
  if (zodSchema.out instanceof z.ZodTransform) return
  const rules = z.toJSONSchema(zodSchema.out as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
    override: showLimits,
  })
  for (const limit of ['minLength', 'maxLength', 'format', 'pattern'] as const)
    if (rules[limit] !== undefined) Object.assign(jsonSchema, { [limit]: rules[limit] })
}
type Override = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>>[0]

const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig: { override: showLimits } })

const contractPaths = new Set(
  allEndpoints.flatMap(({ endpoint: { path, alias } }) => (alias ? [path, alias.path] : path)),
)
const isOurs = (url: string) => contractPaths.has(url)

const documentOf = (document: object): OpenApi => (document as { openapiObject: OpenApi }).openapiObject

function serveDocument(app: App): void {
  const { css, preload } = findFont()
  const style = css + readFileSync(new URL('./docs.css', import.meta.url), 'utf8')
  // Rendered once, as the bytes to send: the page is public, so requests must be cheap.
  let [json, page]: (Buffer | undefined)[] = []
  app.get(DOCUMENT_PATH, async (_request, reply) => {
    json ??= Buffer.from(JSON.stringify(app.swagger()))
    return reply
      .headers({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
      .type('application/json; charset=utf-8')
      .send(json)
  })
  const links = { reference: PAGE_PATH, document: DOCUMENT_PATH, style: STYLE_PATH, preload }
  const headers = { 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' }
  app.get(PAGE_PATH, async (_request, reply) => {
    page ??= Buffer.from(renderPage(app.swagger() as unknown as OpenApi, links))
    return reply.headers(headers).type('text/html; charset=utf-8').send(page)
  })
  for (const [path, guide] of renderGuides(links))
    app.get(path, (request, reply) => sendPage(request, reply, guide, headers))
  for (const name of Object.keys(clientFiles)) {
    const file = readFileSync(new URL(`./clients/${name}`, import.meta.url))
    app.get(clientPath(name), async (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'content-disposition': `attachment; filename="${name}"` })
        .type('text/plain; charset=utf-8')
        .send(file),
    )
  }
  app.get(STYLE_PATH, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(style),
  )
}
