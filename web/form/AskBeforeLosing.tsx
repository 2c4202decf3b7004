import { useBeforeUnload, useBlocker, useLocation } from 'react-router'
import { session } from '#web/api/session.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

interface Props {
  /** The form's own way out was taken: 'Cancelar', Escape. */
  asked: boolean
  /** A save is under way: what goes back meanwhile waits for how it ends. */
  busy: boolean
  onDiscard: () => void
  onStay: () => void
}

/** While it is there, every way out of a form that was typed into asks the same, once; the browser asks in its own words. */
export function AskBeforeLosing({ asked, busy, onDiscard, onStay }: Props) {
  const blocker = useBlocker(losesForm)
  const { pathname } = useLocation()
  useBeforeUnload(askUnlessLeft)
  if (busy || (!asked && blocker.state !== 'blocked')) return null
  const stay = () => {
    blocker.reset?.()
    onStay()
  }
  // What holds the form may be the address, the screen or neither, as of 'Confirma que eres tú': it is always closed.
  const discard = () => {
    onDiscard()
    if (blocker.state !== 'blocked') return
    if (blocker.location.pathname === pathname) blocker.reset()
    else blocker.proceed()
  }
  return (
    <ConfirmDialog
      title="¿Descartar los cambios?"
      confirm="Descartar"
      cancel="Seguir editando"
      danger
      onConfirm={discard}
      onClose={stay}
    >
      Lo que escribiste en este formulario se perderá.
    </ConfirmDialog>
  )
}

interface Step {
  currentLocation: { pathname: string }
  nextLocation: { pathname: string }
  historyAction: string
}

/** Going back may close a form or a panel of the same screen; filters change the address by replacing it, and the form stays. */
const losesForm = ({ currentLocation, nextLocation, historyAction }: Step) =>
  historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname

/** Nobody can stay in a page of a view that ended, or of before it began. */
const askUnlessLeft = (event: BeforeUnloadEvent) => {
  if (!session.isLeft()) event.preventDefault()
}
