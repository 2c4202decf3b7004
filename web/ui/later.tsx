import { type ComponentType, type KeyboardEvent, useEffect, useState } from 'react'
import { type Later, later } from './later-part.ts'
import { Progress } from './Spinner.tsx'
import { toast } from './toast.ts'

/** Choices and menus: what a dialog is made of. */
const controls = new Set<() => Promise<void>>()

/** A control that the first paint of a screen does without: a plain one of the same look stands in for it. */
export function laterControl<Part>(load: () => Promise<Part>): Later<Part> {
  const control = later(load)
  controls.add(control.fetch)
  return control
}

/** Fetches what was pressed, and says so when it cannot be had. */
export const ask = ({ fetch }: Later<unknown>, onFailed: () => void): void =>
  void fetch().catch(() => {
    // Some browsers remember the failure for as long as the page is open.
    toast.error('No se pudo abrir', {
      id: 'later',
      description: 'Revisa tu conexión y recarga la página.',
      action: { label: 'Recargar', onClick: () => location.reload() },
    })
    onFailed()
  })

/** A dialog that comes later. Open for as long as it is mounted, and closed again when it cannot be had. */
export function laterDialog<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  // With its controls: one that took the place of another while somebody is in the dialog would take the focus away.
  const dialog = later(async () => {
    const Dialog = await load()
    await Promise.all([...controls].map((fetch) => fetch()))
    return Dialog
  })
  // biome-ignore lint/correctness/noComponentHookFactories: called once for a dialog, outside of components, as React.lazy is
  return function LaterDialog(props: Props) {
    const Dialog = dialog.usePart()
    // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for once, when it is opened
    useEffect(() => {
      if (!Dialog) ask(dialog, props.onClose)
    }, [])
    if (Dialog) return <Dialog {...props} />
    return (
      <div role="status">
        <Progress label="Abriendo" className="fixed inset-x-0 top-14 z-50" />
      </div>
    )
  }
}

/** A button whose popup comes later: the whole control takes the button's place, already open, once it is pressed. */
export function useLaterPopup<Part>(popup: Later<Part>) {
  const Popup = popup.usePart()
  const [pressed, setPressed] = useState(false)
  const press = () => {
    setPressed(true)
    ask(popup, () => setPressed(false))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    press()
  }
  return { Popup: pressed ? Popup : undefined, button: { onClick: press, onKeyDown, 'aria-expanded': false } as const }
}
