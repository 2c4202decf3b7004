import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll } from 'vitest'
import { TestClient } from '../testing.ts'
import type { App } from './http.ts'

/** A folder for built pages, empty at first, removed after the tests of a file. */
export function makeRoot() {
  const root = `${mkdtempSync(join(tmpdir(), 'afluente-pages-'))}/`
  afterAll(() => rmSync(root, { recursive: true }))
  return { root, build: (page: string, html: string) => writeFileSync(join(root, page), html) }
}

/** Runs `look` on a server of these pages alone. */
export async function withPages<T>(mount: (app: App) => void, look: (web: TestClient) => Promise<T>): Promise<T> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } }) as unknown as App
  mount(app)
  try {
    return await look(new TestClient(await app.listen({ host: '127.0.0.1', port: 0 })))
  } finally {
    await app.close()
  }
}
