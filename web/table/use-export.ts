import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ExportFormat } from '#contract/exports.ts'
import type { FileParts } from '#web/api/client.ts'
import { download } from '#web/api/download.ts'
import { useSave } from '#web/api/query-client.ts'

export interface Exported {
  /** One of `exports` of the contract. */
  of: Endpoint
  /** The filters in use, as the endpoint names them; what is empty is left out. */
  query?: FileParts['query']
  params?: FileParts['params']
}

/** Saves rows as a file. Leaving the screen cancels it. */
export function useExport({ of: endpoint, query, params }: Exported) {
  const [bytes, setBytes] = useState(0)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const { mutate, isPending } = useSave({
    save: (format: ExportFormat) => {
      setBytes(0)
      const stop = new AbortController()
      running.current = stop
      return download(endpoint, { params, query: { ...query, format }, signal: stop.signal }, setBytes)
    },
    success: (name) => name && `Se descargó ${name}`,
    refreshes: [],
  })
  return { start: mutate, isPending, bytes, stop: () => running.current?.abort() }
}
