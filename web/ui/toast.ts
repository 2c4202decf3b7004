import type { ExternalToast, toast as Sonner } from 'sonner'
import { later } from './later-part.ts'

/** The place of the notices; it comes with the first of them, or in a spare moment. */
export const toasts = later(async () => (await import('./Toasts.tsx')).Toasts)

let tell: (sonner: typeof Sonner) => void = () => undefined
const place = new Promise<typeof Sonner>((resolve) => {
  tell = resolve
})
export const isInPlace = (sonner: typeof Sonner): void => tell(sonner)

/** Sonner forgets what is said before its place is there. */
async function say(what: (sonner: typeof Sonner) => unknown): Promise<void> {
  try {
    await toasts.fetch()
    what(await place)
  } catch (error) {
    console.error('El aviso no se puede mostrar', error)
  }
}

type Say = (title: string, options?: ExternalToast) => void

const success: Say = (title, options) => void say((sonner) => sonner.success(title, options))
const warning: Say = (title, options) => void say((sonner) => sonner.warning(title, options))
const error: Say = (title, options) => void say((sonner) => sonner.error(title, options))
const dismiss = () => void say((sonner) => sonner.dismiss())

export const toast = { success, warning, error, dismiss }
