import type { Codes } from './codes.ts'
import type { Passkeys } from './passkeys.ts'

/** What checks second factors. */
export interface Factors {
  codes: Codes
  passkeys: Passkeys
}
