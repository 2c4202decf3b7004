import { allEndpoints } from '#contract/endpoints.ts'
import type { App } from './http.ts'

const aliases = new Map(
  allEndpoints.flatMap(({ endpoint: { path, alias } }) => (alias ? [[path, alias.path] as const] : [])),
)

/** Gives each route that has another address in the contract that one as well, its 405 included; before the routes. */
export function serveAliases(app: App): void {
  app.addHook('onRoute', ({ path: _path, routePath: _routePath, ...route }) => {
    const url = aliases.get(route.url)
    // The framework makes the HEAD of a GET itself, for each address.
    if (url && String(route.method) !== 'HEAD') app.route({ ...route, url })
  })
}
