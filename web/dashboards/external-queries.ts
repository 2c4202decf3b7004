import { queryOptions } from '@tanstack/react-query'
import { dashboards, type ExternalDashboardCreate, type ExternalDashboardUpdate } from '#contract/dashboards.ts'
import { call, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'

/** Below the key of the dashboards offered to each role, which a save changes, too. */
const external = [...keys.dashboards, 'external']

export const externalDashboardsQuery = () => wholeListQuery(external, dashboards.list)

/** The allowed origins; quiet, since the server also refuses others with a message. */
export const originsQuery = () =>
  queryOptions({
    queryKey: [...keys.dashboards, 'origins'],
    queryFn: ({ signal }) => call(dashboards.origins, { signal }),
    meta: { quiet: true },
  })

export const useCreateDashboard = () =>
  useSave({
    save: (body: ExternalDashboardCreate, requestKey) => call(dashboards.create, { body, requestKey }),
    success: 'Dashboard creado exitosamente',
    refreshes: refreshedBy.dashboard,
  })

export const useUpdateDashboard = () =>
  useSave({
    save: ({ id, updated_at, ...body }: ExternalDashboardUpdate & Seen) =>
      call(dashboards.update, { params: { id }, body, ifMatch: updated_at }),
    success: 'Dashboard actualizado exitosamente',
    list: external,
    refreshes: refreshedBy.dashboard,
  })

export const useRemoveDashboard = () =>
  useSave({
    save: (id: number) => call(dashboards.remove, { params: { id } }),
    success: 'Dashboard eliminado exitosamente',
    refreshes: refreshedBy.dashboard,
  })
