import type { IncomingMessage } from 'node:http'
import addressBehind from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

export const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? ''

export const isProxy =
  ({ trustProxy }: Config) =>
  (_address: string, hop: number): boolean =>
    hop < trustProxy

/** Some proxies write the client's port behind its address: without it every connection would be an address of its own. */
const withoutPort = (address: string): string =>
  /^([\d.]+):\d+$/.exec(address)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address

export const addressOf = (request: FastifyRequest): string => withoutPort(request.ip)

/** The same for clicks, which the framework does not see. */
export const addressesOf = (config: Config): typeof peerOf =>
  config.trustProxy > 0 ? (request) => withoutPort(addressBehind(request, isProxy(config))) : peerOf
