import { CalendarDays } from 'lucide-react'
import type { ComponentProps, RefObject } from 'react'
import { IconButton } from './IconButton.tsx'
import { laterControl, useLaterPopup } from './later.tsx'

export interface CalendarProps {
  /** What the date is for. */
  label: string
  value: string
  min?: string | undefined
  max?: string | undefined
  disabled?: boolean
  /** What the popup is aligned with. */
  anchor: RefObject<HTMLElement | null>
  onPick: (date: string) => void
}

const popup = laterControl(async () => (await import('./popups/CalendarButton.tsx')).CalendarButton)

/** Opens a month to pick a day from. */
export function CalendarButton(props: CalendarProps) {
  const { Popup, button } = useLaterPopup(popup)
  const { label, disabled = false } = props
  return Popup ? (
    <Popup {...props} />
  ) : (
    <CalendarIcon label={label} disabled={disabled} aria-haspopup="dialog" {...button} />
  )
}

export const CalendarIcon = ({ label, ...rest }: Omit<ComponentProps<typeof IconButton>, 'icon'>) => (
  <IconButton {...rest} label={`Elegir fecha: ${label}`} icon={CalendarDays} className="mr-0.5" />
)
