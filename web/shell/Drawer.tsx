import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type Role, roleLabels } from '#contract/roles.ts'
import { nameOf, useAuth } from '#web/auth/auth-context.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The sidebar of small screens. Open for as long as it is mounted. */
export const Drawer = ({ role, onClose }: { role: Role; onClose: () => void }) => (
  <Dialog.Root open onOpenChange={(open) => open || onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay lg:hidden" />
      <Dialog.Popup
        aria-label="Menú"
        className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col border-r bg-surface shadow-popup outline-none lg:hidden"
      >
        <Who role={role} />
        <div className="min-h-0 flex-1">
          <Sidebar role={role} onFollow={onClose} />
        </div>
        <Dialog.Close render={<IconButton label="Cerrar menú" icon={X} className="absolute top-3 right-3" />} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

/** The header of a phone has no room for who is signed in. */
function Who({ role }: { role: Role }) {
  const { user } = useAuth()
  return (
    <div className="flex min-h-14 items-center gap-3 border-b py-3 pr-16 pl-5 sm:hidden">
      <span className="min-w-0 font-medium wrap-anywhere">{nameOf(user)}</span>
      <Badge tone="brand">{roleLabels[role]}</Badge>
    </div>
  )
}
