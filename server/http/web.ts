import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { App } from './http.ts'

export const BUILT = fileURLToPath(new URL('../../dist/web/', import.meta.url))
const INDEX = 'index.html'

/** Where our pages may go besides our own origin. */
export interface OtherOrigins {
  /** Whose boards they may frame. */
  dashboardOrigins: string[]
  /** Whose API they may call. */
  apiOrigins: string[]
}

interface WebOptions extends OtherOrigins {
  /** Folder of the built web. */
  root?: string
}

/** The files of the web, and the application for every other address (D64); its router knows which exist. */
export async function serveWeb(app: App, { root = BUILT, ...origins }: WebOptions): Promise<void> {
  // The build leaves a compressed copy beside each script and style.
  await app.register(fastifyStatic, { root, serve: false, suppressWarning: true, preCompressed: true })
  const files = new Files(root)
  app.get('/*', { exposeHeadRoute: true }, (request, reply) => {
    const path = pathOf(request)
    if (path === 'api' || path.startsWith('api/')) throw missing()
    if (files.has(path) && !isPage(path)) return sendFile(reply, path)
    if (isFile(path, request)) throw missing()
    if (!files.has(INDEX)) return sendUnbuilt(reply)
    return sendApplication(reply, pageHeaders(path, origins))
  })
}

const missing = () => new AppError(404, 'NOT_FOUND', 'La dirección no existe')

/** The names under the root, read once it exists. Only these are served, so no path leads out of it. */
class Files {
  readonly #root: string
  #names = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  has(path: string): boolean {
    if (!this.#names.size) this.#names = new Set(namesUnder(this.#root))
    return this.#names.has(path)
  }
}

function namesUnder(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('//', '/').slice(root.length))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Decoded, without the leading slash. */
function pathOf(request: FastifyRequest): string {
  try {
    return decodeURIComponent(request.url.split('?')[0] ?? '').slice(1)
  } catch {
    throw new AppError(400, 'BAD_REQUEST', 'La dirección contiene caracteres mal codificados')
  }
}

/** Hidden names, assets, and names with an extension that no browser navigates to: never answered by a page. */
function isFile(path: string, request: FastifyRequest): boolean {
  if (/(^|[\\/])\./.test(path) || path.startsWith('assets/')) return true
  return /\.\w+$/.test(path) && !request.headers.accept?.includes('text/html') && path !== INDEX
}

/** A page is served at its address with its policy, not as the file it is built from. */
const isPage = (path: string): boolean => path.endsWith('.html')

/** Names under assets/ contain the hash of the content (Vite); other files keep their name when they change. */
function sendFile(reply: FastifyReply, path: string): FastifyReply {
  reply.headers({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
  return path.startsWith('assets/')
    ? reply.sendFile(path, { maxAge: '365d', immutable: true })
    : reply.header('cache-control', 'no-cache').sendFile(path, { cacheControl: false })
}

/** security 2.9. Our own pages frame the boards under /embed; nothing else may be framed. */
export const pageHeaders = (
  path: string,
  { dashboardOrigins, apiOrigins }: OtherOrigins = { dashboardOrigins: [], apiOrigins: [] },
): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...apiOrigins].join(' '),
    ['frame-src', "'self'", ...dashboardOrigins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${path.startsWith('embed/') ? "'self'" : "'none'"}`,
    "manifest-src 'self'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
})

const sendApplication = (reply: FastifyReply, headers: Record<string, string>): FastifyReply =>
  reply.headers(headers).sendFile(INDEX, { cacheControl: false })

const UNBUILT = `<!doctype html>
<html lang="es-MX">
<meta charset="utf-8">
<title>Afluente</title>
<h1>La interfaz web no está construida</h1>
<p>Detén el servidor y ejecuta <code>npm start</code>, que la construye. La API ya responde.</p>
</html>
`

export const sendUnbuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ ...pageHeaders(''), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(UNBUILT)
