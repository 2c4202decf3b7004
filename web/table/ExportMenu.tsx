import { Download, FileSpreadsheet, FileText, X } from 'lucide-react'
import { Button } from '#web/ui/Button.tsx'
import type { ButtonSize } from '#web/ui/button-look.ts'
import { formatBytes } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { type Exported, useExport } from './use-export.ts'

/** What the list shows, all pages of it, as a file. */
export function ExportMenu({
  size = 'md',
  disabledReason,
  ...exported
}: Exported & { size?: ButtonSize; disabledReason?: string | undefined }) {
  const { start, isPending, bytes, stop } = useExport(exported)
  if (isPending)
    return (
      <span className="inline-flex items-center gap-1">
        <Button size={size} busy busyText={bytes > 0 ? `Exportando... ${formatBytes(bytes)}` : 'Exportando...'} />
        <IconButton label="Cancelar exportación" icon={X} onClick={stop} />
      </span>
    )
  const button = (
    <Button size={size} icon={Download} disabledReason={disabledReason}>
      Exportar
    </Button>
  )
  if (disabledReason) return button
  return (
    <Menu
      trigger={button}
      items={[
        { label: 'CSV', icon: FileText, onClick: () => start('csv') },
        { label: 'Excel', icon: FileSpreadsheet, onClick: () => start('xlsx') },
      ]}
    />
  )
}
