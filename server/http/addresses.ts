import type { IncomingMessage } from 'node:http'
import addressBehind from '@fastify/proxy-addr'
import type { Config } from '../config.ts'

export const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? ''

export const isProxy =
  ({ trustProxy }: Config) =>
  (_address: string, hop: number): boolean =>
    hop < trustProxy

/** The client's address, found as the framework finds it. */
export const addressesOf = (config: Config): typeof peerOf =>
  config.trustProxy > 0 ? (request) => addressBehind(request, isProxy(config)) : peerOf
