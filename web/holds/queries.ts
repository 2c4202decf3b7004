import { type HoldForm, holds, type ReleaseForm } from '#contract/holds.ts'
import { call } from '#web/api/client.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

export const useHold = () =>
  useSave({
    save: ({ id, ...body }: HoldForm & { id: number }) => call(holds.hold, { params: { id }, body }),
    success: 'Comisión retenida exitosamente',
    refreshes: refreshedBy.approval,
  })

export const useRelease = () =>
  useSave({
    save: ({ id, ...body }: ReleaseForm & { id: number }) => call(holds.release, { params: { id }, body }),
    success: 'Comisión liberada exitosamente',
    refreshes: refreshedBy.approval,
  })
