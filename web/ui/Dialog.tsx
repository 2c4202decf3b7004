import { laterDialog } from './later.tsx'

export const Dialog = laterDialog(async () => (await import('./popups/Dialog.tsx')).Dialog)
