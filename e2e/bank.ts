import { createServer } from 'node:http'
import { tracking } from '#contract/tracking.ts'

/** Under this name the browser of the tests reaches 127.0.0.1 (playwright.config.ts). */
const HOST = 'banco.journey.mx'

interface Bank {
  /** What the product leads to. */
  redirectUrl: string
  /** Tells what became of a client, as the systems of an issuer do. */
  report: (event: Record<string, unknown>) => Promise<{ status: number; data: Record<string, unknown> }>
  close: () => Promise<unknown>
}

/** An issuer's own website and its systems. `key` is asked for at each report, since the bank learns it later. */
export async function openBank(baseURL: string, key: () => string): Promise<Bank> {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><html lang="es-MX"><title>Banco</title><h1>Solicita tu tarjeta</h1></html>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = site.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    redirectUrl: `http://${HOST}:${port}/alta?ref={tracking_id}`,
    report: async (event) => {
      const answer = await fetch(new URL(tracking.storeEvent.path, baseURL), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key() },
        body: JSON.stringify(event),
      })
      return { status: answer.status, data: (await answer.json()).data }
    },
    close: () => {
      site.closeAllConnections()
      return new Promise((resolve) => site.close(resolve))
    },
  }
}
