import { queryOptions } from '@tanstack/react-query'
import { type PrivacyCorrection, type PrivacyGrounds, privacy } from '#contract/privacy.ts'
import { call } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { counted } from '#web/ui/format.ts'

/** Of one person: forgotten with the screen. */
export const foundQuery = (text: string) =>
  queryOptions({
    queryKey: [...keys.privacy, text],
    queryFn: ({ signal }) => call(privacy.search, { body: { text }, signal, fallback: 'Error al buscar los datos' }),
    enabled: text !== '',
    staleTime: 0,
    gcTime: 0,
  })

/** Not a query: each reading is recorded, so none may happen by itself. */
export const useOpenFile = () =>
  useSave({
    save: ({ id, ...body }: PrivacyGrounds & { id: number }) =>
      call(privacy.open, { params: { id }, body, fallback: 'Error al consultar los datos' }),
    success: () => undefined,
    refreshes: [keys.auditLog],
  })

export const useCorrectLead = () =>
  useSave({
    save: ({ id, ...body }: PrivacyCorrection & { id: number }) =>
      call(privacy.correct, { params: { id }, body, fallback: 'Error al rectificar los datos' }),
    success: 'Datos rectificados',
    refreshes: refreshedBy.lead,
  })

export const useEraseLead = () =>
  useSave({
    save: ({ id, ...body }: PrivacyGrounds & { id: number }) =>
      call(privacy.erase, { params: { id }, body, fallback: 'Error al suprimir los datos' }),
    success: ({ identifying_ids }) =>
      identifying_ids === 0
        ? 'Datos suprimidos'
        : `Datos suprimidos. ${counted(identifying_ids, 'evento conserva', 'eventos conservan')} la referencia del emisor, que parece identificar a la persona: dilo en la respuesta.`,
    refreshes: refreshedBy.lead,
  })
