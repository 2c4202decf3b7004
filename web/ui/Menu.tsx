import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, cloneElement, type ReactElement } from 'react'
import { laterControl, useLaterPopup } from './later.tsx'

export interface MenuItem {
  label: string
  icon?: LucideIcon
  onClick: () => void
  checked?: boolean
  tone?: 'danger'
  /** Stays in the menu and says why it cannot act. */
  disabledReason?: string | undefined
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
}

export interface CheckItem {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

const menu = laterControl(async () => (await import('./popups/Menu.tsx')).Menu)
const checkMenu = laterControl(async () => (await import('./popups/Menu.tsx')).CheckMenu)

export function Menu(props: MenuProps & { items: readonly MenuItem[] }) {
  const { Popup, button } = useLaterPopup(menu)
  return Popup ? <Popup {...props} /> : closed(props.trigger, button)
}

/** Stays open while things are checked. */
export function CheckMenu(props: MenuProps & { items: readonly CheckItem[] }) {
  const { Popup, button } = useLaterPopup(checkMenu)
  return Popup ? <Popup {...props} /> : closed(props.trigger, button)
}

const closed = (trigger: MenuProps['trigger'], button: ComponentProps<'button'>) =>
  cloneElement(trigger, { 'aria-haspopup': 'menu', ...button })
