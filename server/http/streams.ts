import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { hooksOf } from './access.ts'
import { type App, type Call, documentation, readCall } from './http.ts'

/** An answer that is a file, produced while it is sent. */
export interface FileAnswer {
  name: string
  type: string
  body: Readable
}

/**
 * `serve()` for files: the same checks of access and input, but the answer is a stream without an envelope. A failure
 * before the first byte is answered like any other error; a later one breaks the connection, so that half a file never
 * passes for a whole one.
 */
export function serveStream<E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: (call: Call<E>) => Promise<FileAnswer>,
): void {
  app.served.push(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // A HEAD would produce the whole file only to discard it.
    exposeHeadRoute: false,
    schema: { ...documentation(endpoint), response: fileOf(endpoint) },
    ...hooksOf(app, endpoint),
    handler: async (request, reply) => {
      const { name, type, body } = await handler(readCall(endpoint, request))
      return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(body)
    },
  })
}

/** For the API document alone. */
const fileOf = ({ status, file }: Endpoint) => ({
  [status]: {
    description: 'El archivo.',
    content: Object.fromEntries((file ?? []).map((type) => [type, { schema: z.string() }])),
  },
})
