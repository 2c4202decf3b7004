// What shows who somebody is. Apart from the calls about it: the sign-in loads this.
import { z } from 'zod'
import { cleanCode } from './typed.ts'

/** Six digits of an application, or a recovery code. */
export const FactorCode = z
  .string()
  .transform(cleanCode)
  .pipe(z.string().min(1, 'Escribe el código').max(30, 'El código es demasiado largo'))

/** What a browser's credential says; its parts are checked by the library that verifies it. */
export const Credential = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
})
export type Credential = z.infer<typeof Credential>

/** `options` are for the browser; `state` names them when its answer comes. */
export const PasskeyQuestion = z.object({ state: z.string(), options: z.record(z.string(), z.unknown()) })
export const PasskeyAnswer = z.object({ state: z.string().max(200), credential: Credential })
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>
