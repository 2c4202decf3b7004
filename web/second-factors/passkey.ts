import type { Credential } from '#contract/proofs.ts'
import { ApiError } from '#web/api/errors.ts'

type Options = Record<string, unknown>
const library = () => import('@simplewebauthn/browser')
type Library = Awaited<ReturnType<typeof library>>

const CANCELLED = 'No se usó ninguna llave de acceso. Inténtalo de nuevo cuando quieras.'

/** The browser says little of why; most often the person closed its window. */
async function orCancelled<T>(asking: Promise<T>): Promise<Credential> {
  try {
    return (await asking) as Credential
  } catch (error) {
    console.error(error)
    throw new ApiError(0, CANCELLED)
  }
}

export async function createPasskey(options: Options): Promise<Credential> {
  const { startRegistration } = await library()
  type Asked = Parameters<Library['startRegistration']>[0]['optionsJSON']
  return orCancelled(startRegistration({ optionsJSON: options as unknown as Asked }))
}

export async function signWithPasskey(options: Options): Promise<Credential> {
  const { startAuthentication } = await library()
  type Asked = Parameters<Library['startAuthentication']>[0]['optionsJSON']
  return orCancelled(startAuthentication({ optionsJSON: options as unknown as Asked }))
}
