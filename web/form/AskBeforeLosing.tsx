import { useBeforeUnload, useBlocker, useLocation } from 'react-router'
import { session } from '#web/api/session.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

interface Props {
  /** The form's own way out was taken: 'Cancelar', Escape. */
  asked?: boolean
  /** A save is under way: what goes back meanwhile waits for how it ends. */
  busy?: boolean
  onDiscard: () => void
  onStay?: () => void
  /** What is lost stands in the page, and is lost with this parameter of the address. */
  param?: string
  question?: { title: string; text: string; confirm: string; cancel: string }
}

const ABOUT_FORM = {
  title: '¿Descartar los cambios?',
  text: 'Lo que escribiste en este formulario se perderá.',
  confirm: 'Descartar',
  cancel: 'Seguir editando',
}

/** While it is there, every way out of what would be lost asks the same, once; the browser asks in its own words. */
export function AskBeforeLosing({
  asked = false,
  busy = false,
  onDiscard,
  onStay,
  param,
  question: { text, ...question } = ABOUT_FORM,
}: Props) {
  const blocker = useBlocker((step) => leaves(step) || (param !== undefined && turnsTo(step, param)))
  const { pathname } = useLocation()
  useBeforeUnload(askUnlessLeft)
  if (busy || (!asked && blocker.state !== 'blocked')) return null
  const stay = () => {
    blocker.reset?.()
    onStay?.()
  }
  // What holds a form may be the address, the screen or neither, as of 'Confirma que eres tú': it is always closed.
  const discard = () => {
    onDiscard()
    if (blocker.state !== 'blocked') return
    if (param === undefined && blocker.location.pathname === pathname) blocker.reset()
    else blocker.proceed()
  }
  return (
    <ConfirmDialog {...question} danger onConfirm={discard} onClose={stay}>
      {text}
    </ConfirmDialog>
  )
}

interface Step {
  currentLocation: { pathname: string; search: string }
  nextLocation: { pathname: string; search: string }
  historyAction: string
}

/** Going back may close a form or a panel of the same screen; filters change the address by replacing it, and the form stays. */
const leaves = ({ currentLocation, nextLocation, historyAction }: Step) =>
  historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname

/** The address is replaced only by what has lost it already. */
const turnsTo = ({ currentLocation, nextLocation, historyAction }: Step, param: string) => {
  const [here, there] = [currentLocation, nextLocation].map(({ search }) => new URLSearchParams(search).get(param))
  return historyAction === 'PUSH' && here !== there
}

/** Nobody can stay in a page of a view that ended, or of before it began. */
const askUnlessLeft = (event: BeforeUnloadEvent) => {
  if (!session.isLeft()) event.preventDefault()
}
