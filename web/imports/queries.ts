import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ImportMapping } from '#contract/import-mapping.ts'
import { type ImportDetail, imports, isWorking } from '#contract/imports.ts'
import { call, sendFile } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

const ASK_AGAIN_MS = 1_000

export const importsQuery = (query: Record<string, string>) =>
  queryOptions({
    queryKey: [...keys.imports, 'list', query],
    queryFn: ({ signal }) => call(imports.list, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ status }) => isWorking(status)) ? ASK_AGAIN_MS : false,
  })

/** Asked again while the server works on it. */
export const importQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.imports, 'one', id],
    queryFn: ({ signal }) => call(imports.get, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isWorking(state.data.status) ? ASK_AGAIN_MS : false),
  })

export const valuesQuery = (id: number, column: number) =>
  queryOptions({
    queryKey: [...keys.imports, 'values', id, column],
    queryFn: ({ signal }) => call(imports.values, { params: { id }, query: { column: String(column) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  })

export const importRowsQuery = (id: number, stamp: string, query: Record<string, string>) =>
  queryOptions({
    queryKey: [...keys.imports, 'rows', id, stamp, query],
    queryFn: ({ signal }) => call(imports.rows, { params: { id }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

interface Upload {
  file: File
  issuer_id?: number | undefined
  sheet?: string | undefined
  header_row?: number | undefined
  signal: AbortSignal
}

/** The files of this visit by what was received of them, to read them in another way without choosing them again. */
const sentFiles = new Map<number, File>()
export const sentFile = (id: number): File | undefined => sentFiles.get(id)

/** What it is, the server sees by its first bytes; browsers name the type of a CSV file as they like. */
const typeOf = (file: File) => (/\.xlsx$/i.test(file.name) ? 'application/octet-stream' : 'text/csv')

async function sendUpload({ file, signal, header_row, ...place }: Upload): Promise<ImportDetail> {
  const row = header_row === undefined ? undefined : String(header_row)
  const query = { name: file.name, ...place, header_row: row }
  const received = await sendFile(imports.create, new Blob([file], { type: typeOf(file) }), { query, signal })
  sentFiles.set(received.id, file)
  return received
}

export const useUpload = () => useSave({ save: sendUpload, success: 'Archivo recibido', refreshes: refreshedBy.import })

/** Read in another way, it is another one; what was read of it before goes. */
export const useReadAgain = (id: number) =>
  useSave({
    save: async (upload: Upload): Promise<ImportDetail> => {
      const received = await sendUpload(upload)
      await call(imports.discard, { params: { id } })
      return received
    },
    success: 'Archivo leído de nuevo',
    refreshes: refreshedBy.import,
  })

/** Said and simulated in one go: nobody saves columns without wanting to see what comes of them. */
export const useSimulate = (id: number) =>
  useSave({
    save: async (body: ImportMapping): Promise<ImportDetail> => {
      await call(imports.map, { params: { id }, body })
      return call(imports.simulate, { params: { id } })
    },
    success: () => undefined,
    refreshes: refreshedBy.import,
  })

export const useApplyImport = (id: number) =>
  useSave({
    save: (simulated_at: string) => call(imports.apply, { params: { id }, body: { simulated_at } }),
    success: 'Se está aplicando',
    refreshes: refreshedBy.import,
  })

export const usePreviewUndo = (id: number) =>
  useSave({
    save: () => call(imports.previewUndo, { params: { id } }),
    success: () => undefined,
    refreshes: refreshedBy.import,
  })

export const useUndoImport = (id: number) =>
  useSave({
    save: (body: { reason: string; previewed_at: string }) => call(imports.undo, { params: { id }, body }),
    success: 'Se está deshaciendo',
    refreshes: refreshedBy.import,
  })

export const useDiscardImport = () =>
  useSave({
    save: (id: number) => call(imports.discard, { params: { id } }),
    success: 'Archivo descartado',
    refreshes: refreshedBy.import,
  })
