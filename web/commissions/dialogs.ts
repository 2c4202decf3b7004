import { laterDialog } from '#web/ui/later.tsx'

const forms = () => import('./CommissionDialogs.tsx')

// The dialogs of both lists of commissions, which come after their rows.
export const CommissionCreateDialog = laterDialog(async () => (await forms()).CommissionCreateDialog)
export const CommissionEditDialog = laterDialog(async () => (await forms()).CommissionEditDialog)
export const CommissionRemoveDialog = laterDialog(async () => (await forms()).CommissionRemoveDialog)
const histories = () => import('./CommissionHistoryDialog.tsx')
export const CommissionHistoryDialog = laterDialog(async () => (await histories()).CommissionHistoryDialog)
export const RateHistoryDialog = laterDialog(async () => (await histories()).RateHistoryDialog)
export const CopyDialog = laterDialog(async () => (await import('./CopyDialog.tsx')).CopyDialog)
export const RateDialog = laterDialog(async () => (await import('./RateDialog.tsx')).RateDialog)
