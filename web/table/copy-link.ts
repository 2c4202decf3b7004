import { Link2, type LucideIcon } from 'lucide-react'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { toast } from '#web/ui/toast.ts'

/** The address of a row. */
export const copyLink = (param: string, id: number): MenuItem & { icon: LucideIcon } => ({
  label: 'Copiar enlace',
  icon: Link2,
  onClick: () => {
    const { origin, pathname } = window.location
    navigator.clipboard.writeText(`${origin}${pathname}?${param}=${id}`).then(
      () => toast.success('Enlace copiado al portapapeles'),
      () => toast.error('Error al copiar el enlace'),
    )
  },
})
