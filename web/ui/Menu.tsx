import { Menu as Base } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'
import { cx } from './cx.ts'
import { popupRegion } from './popup-region.tsx'

interface MenuItem {
  label: string
  icon?: LucideIcon
  onClick: () => void
  checked?: boolean
  tone?: 'danger'
}

/** `trigger` is the button that opens it. */
export function Menu({
  trigger,
  items,
  align = 'end',
}: {
  trigger: ReactElement
  items: readonly MenuItem[]
  align?: 'start' | 'end'
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal render={popupRegion}>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup className="popup min-w-44 p-1">
            {items.map(({ label, icon: Icon, onClick, checked, tone }) => (
              <Base.Item
                key={label}
                onClick={onClick}
                className={cx('option', tone === 'danger' && 'text-danger-ink', checked && 'font-semibold')}
              >
                {Icon && <Icon aria-hidden className="size-4 text-faint" />}
                {label}
                {checked && <span className="sr-only">(elegido)</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
