import { useBeforeUnload, useBlocker } from 'react-router'
import { session } from '#web/api/session.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

/** Every way out of a form that was typed into asks the same. */
export const Discard = ({ onConfirm, onClose }: { onConfirm: () => void; onClose: () => void }) => (
  <ConfirmDialog
    title="¿Descartar los cambios?"
    confirm="Descartar"
    cancel="Seguir editando"
    danger
    onConfirm={onConfirm}
    onClose={onClose}
  >
    Lo que escribiste en este formulario se perderá.
  </ConfirmDialog>
)

/** While it is there, another screen asks first, and so does the browser before it leaves the page. */
export function AskBeforeLeaving() {
  const blocker = useBlocker(isOtherScreen)
  useBeforeUnload(askUnlessLeft)
  return blocker.state === 'blocked' ? <Discard onConfirm={blocker.proceed} onClose={blocker.reset} /> : null
}

type Place = { pathname: string }

/** Filters and panels change the rest of the address, and the form stays. */
const isOtherScreen = ({ currentLocation, nextLocation }: { currentLocation: Place; nextLocation: Place }) =>
  currentLocation.pathname !== nextLocation.pathname

/** Nobody can stay in a page whose session is over. */
const askUnlessLeft = (event: BeforeUnloadEvent) => {
  if (!session.isLeft()) event.preventDefault()
}
