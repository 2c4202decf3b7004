import { laterDialog } from './later.tsx'

export const ConfirmDialog = laterDialog(async () => (await import('./popups/ConfirmDialog.tsx')).ConfirmDialog)
