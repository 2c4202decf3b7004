import { type ComponentType, type KeyboardEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import { Progress } from './Spinner.tsx'

/** What may come later and has not been fetched yet. */
const unfetched = new Set<() => Promise<void>>()

/** Choices and menus: what a dialog is made of. */
const controls = new Set<() => Promise<void>>()

/** For a spare moment. What cannot be had then is no matter until somebody asks for it, who is told. */
export const fetchTheRest = (): void => {
  for (const fetch of unfetched) fetch().catch(() => undefined)
}

interface Later<Part> {
  /** Undefined until it is there. */
  usePart: () => Part | undefined
  /** Says so when it cannot be had. */
  ask: (onFailed: () => void) => void
}

/** A control that the first paint of a screen does without: a plain one of the same look stands in for it. */
export function laterControl<Part>(load: () => Promise<Part>): Later<Part> {
  const { fetch, ...control } = later(load)
  controls.add(fetch)
  return control
}

/** A part that the first paint of a screen does without: fetched in a spare moment, or when it is asked for. */
export function later<Part>(load: () => Promise<Part>): Later<Part> & { fetch: () => Promise<void> } {
  let part: Part | undefined
  let coming: Promise<void> | undefined
  const listeners = new Set<() => void>()
  async function begin() {
    part ??= await load()
    unfetched.delete(fetch)
    for (const tell of listeners) tell()
  }
  const fetch = () => {
    coming ??= begin().finally(() => {
      coming = undefined
    })
    return coming
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  unfetched.add(fetch)
  return {
    fetch,
    usePart: () =>
      useSyncExternalStore(
        subscribe,
        () => part,
        () => undefined,
      ),
    ask: (onFailed: () => void) =>
      void fetch().catch(() => {
        // Some browsers remember the failure for as long as the page is open.
        toast.error('No se pudo abrir', {
          id: 'later',
          description: 'Revisa tu conexión y recarga la página.',
          action: { label: 'Recargar', onClick: () => location.reload() },
        })
        onFailed()
      }),
  }
}

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
      if (!Dialog) dialog.ask(props.onClose)
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
    popup.ask(() => setPressed(false))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    press()
  }
  return { Popup: pressed ? Popup : undefined, button: { onClick: press, onKeyDown, 'aria-expanded': false } as const }
}
