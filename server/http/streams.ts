import type { Readable } from 'node:stream'
import { z } from 'zod'
import { type Endpoint, isNothing } from '#contract/endpoint.ts'
import { hooksOf } from './access.ts'
import { type App, type Call, readCall } from './http.ts'

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
    schema: documentation(endpoint),
    ...hooksOf(app, endpoint),
    handler: async (request, reply) => {
      const { name, type, body } = await handler(readCall(endpoint, request))
      return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(body)
    },
  })
}

/** For the API document alone, as in `http.ts`. */
const documentation = (endpoint: Endpoint): Record<string, unknown> => ({
  summary: endpoint.summary,
  ...(!isNothing(endpoint.params) && { params: endpoint.params }),
  ...(!isNothing(endpoint.query) && { querystring: endpoint.query }),
  response: {
    [endpoint.status]: {
      description: 'El archivo.',
      content: Object.fromEntries((endpoint.file ?? []).map((type) => [type, { schema: z.string() }])),
    },
  },
})
