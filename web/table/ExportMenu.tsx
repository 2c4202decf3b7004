import { Download, FileSpreadsheet, FileText, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ExportFormat } from '#contract/exports.ts'
import type { FileParts } from '#web/api/client.ts'
import { download } from '#web/api/download.ts'
import { useSave } from '#web/api/query-client.ts'
import { Button } from '#web/ui/Button.tsx'
import { formatBytes } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'

interface Props {
  /** One of `exports` of the contract. */
  of: Endpoint
  /** The filters in use, as the endpoint names them; what is empty is left out. */
  query?: FileParts['query']
  params?: FileParts['params']
}

/** What the list shows, all pages of it, as a file. Leaving the screen cancels it. */
export function ExportMenu({ of: endpoint, query, params }: Props) {
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
  if (isPending)
    return (
      <span className="inline-flex items-center gap-1">
        <Button busy busyText={bytes > 0 ? `Exportando... ${formatBytes(bytes)}` : 'Exportando...'} />
        <IconButton label="Cancelar exportación" icon={X} onClick={() => running.current?.abort()} />
      </span>
    )
  return (
    <Menu
      trigger={<Button icon={Download}>Exportar</Button>}
      items={[
        { label: 'CSV', icon: FileText, onClick: () => mutate('csv') },
        { label: 'Excel', icon: FileSpreadsheet, onClick: () => mutate('xlsx') },
      ]}
    />
  )
}
