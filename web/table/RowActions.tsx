import { Ellipsis } from 'lucide-react'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { RowAction } from './column.ts'

interface Props {
  actions: readonly RowAction[]
  /** Whose they are: 'del pago 41'. */
  of: string | undefined
}

/** What is done most is an icon of its own; the rest stands in a menu, where that has a name. */
export function RowActions({ actions, of }: Props) {
  const icons = of === undefined ? actions : iconsIn(actions)
  const others = actions.filter((action) => !icons.includes(action))
  return (
    <span className="inline-flex gap-0.5">
      {icons.map(({ main: _, opens: __, ...action }) => (
        <IconButton key={action.label} {...action} />
      ))}
      {others.length > 0 && (
        <Menu trigger={<IconButton label={`Más acciones ${of}`} icon={Ellipsis} />} items={others} />
      )}
    </span>
  )
}

function iconsIn(actions: readonly RowAction[]): readonly RowAction[] {
  const main = actions.filter((action) => action.main)
  return main.length > 0 ? main : actions.filter(({ opens }) => opens).slice(0, 1)
}
