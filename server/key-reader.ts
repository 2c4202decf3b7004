import type { FastifyRequest } from 'fastify'
import { truncateAddress } from './clicks/visitor.ts'
import type { ApiKeys } from './companies/api-keys.ts'
import { addressOf } from './http/addresses.ts'
import { forbidden, invalidKey } from './http/errors.ts'
import type { NetworkKeys } from './network-keys/network-keys.ts'
import type { KeyReader } from './viewer.ts'

interface Keys {
  apiKeys: ApiKeys
  networkKeys: NetworkKeys
}

/** Who reads with the key of a request: as somebody of its company, or of the network, who may change nothing. */
export async function keyReaderOf(request: FastifyRequest, key: string, keys: Keys): Promise<KeyReader> {
  const address = addressOf(request)
  const from = truncateAddress(address) || null
  const caller = { duty: 'reader', requestId: request.id, address } as const
  if (key.startsWith('net_')) {
    const found = await keys.networkKeys.find(key, from)
    if (!found) throw invalidKey()
    const { id: keyId, name, scope } = found
    return { ...caller, role: 'admin', keyId, name, scope }
  }
  const company = await keys.apiKeys.findCompany(key, from)
  if (!company) throw invalidKey()
  const { id: keyId, active, ...side } = company
  if (!active) throw forbidden('La empresa está inactiva: su clave no abre nada')
  return { ...caller, ...side, keyId, scope: 'all' }
}
