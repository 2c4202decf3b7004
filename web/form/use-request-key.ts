import { useState } from 'react'

/** For one form, as long as it is open: however often it is sent, it is written once. */
export const useRequestKey = (): string => useState(randomKey)[0]

/** Not `randomUUID`, which a page without https does not have. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')
