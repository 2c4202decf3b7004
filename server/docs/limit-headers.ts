/** draft-ietf-httpapi-ratelimit-headers, which every answer to a caller who is known carries. */
export const limitHeaders = {
  'RateLimit-Policy': {
    description: 'Cada límite con las solicitudes (q) que permite en tantos segundos (w).',
    schema: { type: 'string' as const, examples: ['"reads";q=600;w=60'] },
  },
  RateLimit: {
    description: 'Cuántas solicitudes quedan (r) de cada límite, y en cuántos segundos (t) vuelven a ser todas.',
    schema: { type: 'string' as const, examples: ['"reads";r=598;t=43'] },
  },
}

/** What an answer of a call says that it carries. */
export const limited = Object.fromEntries(
  Object.keys(limitHeaders).map((header) => [header, { $ref: `#/components/headers/${header}` }]),
)
