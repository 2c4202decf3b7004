import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/http.ts'
import { type Measures, unmeasured } from './measures.ts'

/** Measures every route that is added after this; those of clicks come before. */
export function measureRequests(app: App, measures: Measures): void {
  if (measures === unmeasured) return
  app.addHook('onRoute', (route) => {
    const kind = kindOf(route.url)
    const measure = async (_request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply) =>
      measures.request(kind, statusCode, elapsedTime / 1000)
    route.onResponse = [route.onResponse ?? [], measure].flat()
  })
}

/** The noun of an endpoint: few, and known in advance. */
function kindOf(url: string): string {
  const noun = /^\/api\/v1\/([\w-]+)/.exec(url)?.[1]
  if (noun) return noun
  return /^\/(healthz|readyz)$/.test(url) ? 'health' : 'web'
}
