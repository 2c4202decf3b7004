import type { Config } from '../config.ts'

/** A browser that has reached us over TLS is told to use nothing else. */
export const tlsHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}
