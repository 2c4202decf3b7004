import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { Role } from '#contract/roles.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The sidebar of small screens. Open for as long as it is mounted. */
export const Drawer = ({ role, onClose }: { role: Role; onClose: () => void }) => (
  <Dialog.Root open onOpenChange={(open) => open || onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay lg:hidden" />
      <Dialog.Popup
        aria-label="Menú"
        className="fixed inset-y-0 left-0 z-40 w-72 max-w-[85vw] border-r bg-surface shadow-popup outline-none lg:hidden"
      >
        <Sidebar role={role} />
        <Dialog.Close render={<IconButton label="Cerrar menú" icon={X} className="absolute top-3 right-3" />} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
