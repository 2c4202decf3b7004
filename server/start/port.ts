import { createServer } from 'node:net'
import { codeOf, OperatorError } from '#db/operator-error.ts'

const REASONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (_host, port) =>
    `El puerto ${port} ya está ocupado por otro programa: ciérrelo o elija otro, por ejemplo PORT=${port + 1}.`,
  EACCES: (_host, port) => `El puerto ${port} solo lo puede abrir un administrador: elija uno mayor que 1023 (PORT).`,
  EADDRNOTAVAIL: (host) => `La dirección ${host} no es de este equipo (HOST).`,
  ENOTFOUND: (host) => `La dirección ${host} no existe (HOST).`,
}

/** Fails when the address is not available, before anything is started. */
export function expectFreePort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => {
      const reason = REASONS[codeOf(error) ?? '']
      reject(reason ? new OperatorError(reason(host, port), { cause: error }) : error)
    })
    probe.listen({ host, port }, () => probe.close(() => resolve()))
  })
}
