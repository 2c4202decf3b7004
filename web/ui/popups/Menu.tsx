import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { Fragment, type ReactNode, type RefObject, useRef } from 'react'
import { cx } from '#web/ui/cx.ts'
import type { CheckItem, MenuItem, MenuProps } from '#web/ui/Menu.tsx'
import { rememberMenu } from './opener.ts'
import { popupRegion } from './popup-region.tsx'

export function Menu({ items, ...props }: MenuProps & { items: readonly MenuItem[] }) {
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <Frame {...props} triggerRef={trigger}>
      {items.map(({ label, icon: Icon, onClick, checked, tone, disabledReason }, index) => (
        <Fragment key={label}>
          {tone === 'danger' && index > 0 && <Base.Separator className="my-1 border-t" />}
          <Base.Item
            onClick={() => {
              rememberMenu(trigger.current)
              onClick()
            }}
            disabled={disabledReason !== undefined}
            className={cx('option', tone === 'danger' && 'text-danger-ink', checked && 'font-semibold')}
          >
            {Icon && <Icon aria-hidden className="size-4 shrink-0 text-faint" />}
            <span className="min-w-0 wrap-anywhere">
              {label}
              {disabledReason && <span className="block max-w-64 text-xs text-muted"> {disabledReason}</span>}
            </span>
            {checked && <span className="sr-only">(elegido)</span>}
          </Base.Item>
        </Fragment>
      ))}
    </Frame>
  )
}

export function CheckMenu({ items, ...props }: MenuProps & { items: readonly CheckItem[] }) {
  return (
    <Frame {...props}>
      {items.map(({ label, checked, onChange }) => (
        <Base.CheckboxItem key={label} checked={checked} onCheckedChange={onChange} className="option">
          <Check aria-hidden className={cx('size-4 shrink-0 text-brand', !checked && 'invisible')} />
          {label}
        </Base.CheckboxItem>
      ))}
    </Frame>
  )
}

interface FrameProps extends MenuProps {
  triggerRef?: RefObject<HTMLButtonElement | null>
  children: ReactNode
}

const Frame = ({ trigger, triggerRef, align = 'end', children }: FrameProps) => (
  <Base.Root defaultOpen modal={false}>
    <Base.Trigger ref={triggerRef} render={trigger} />
    <Base.Portal render={popupRegion}>
      <Base.Positioner sideOffset={6} align={align} className="z-50">
        <Base.Popup className="popup max-w-(--available-width) min-w-44 p-1">{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
