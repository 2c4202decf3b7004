import type { FastifyRequest } from 'fastify'
import { truncateAddress } from './clicks/visitor.ts'
import type { ApiKeys } from './companies/api-keys.ts'
import { addressOf } from './http/addresses.ts'
import { forbidden, invalidKey } from './http/errors.ts'
import type { KeyReader } from './viewer.ts'

/** Who reads with the key of a request: as somebody of its company who may change nothing. */
export async function keyReaderOf(request: FastifyRequest, key: string, apiKeys: ApiKeys): Promise<KeyReader> {
  const address = addressOf(request)
  const company = await apiKeys.findCompany(key, truncateAddress(address) || null)
  if (!company) throw invalidKey()
  const { id: keyId, active, ...side } = company
  if (!active) throw forbidden('La empresa está inactiva: su clave no abre nada')
  return { ...side, keyId, scope: 'all', duty: 'reader', requestId: request.id, address }
}
