import Rows2 from 'lucide-react/icons/rows-2'
import Rows3 from 'lucide-react/icons/rows-3'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'
import { density } from './density.ts'

/** Where lists are cards there are no rows to choose the height of. */
export function DensitySwitch() {
  const chosen = useSyncExternalStore(density.subscribe, density.choice)
  useLayoutEffect(() => {
    document.documentElement.dataset.density = chosen
  }, [chosen])
  const isCompact = chosen === 'compact'
  return (
    <IconButton
      label={isCompact ? 'Vista compacta; cambiar a cómoda' : 'Vista cómoda; cambiar a compacta'}
      icon={isCompact ? Rows3 : Rows2}
      onClick={() => density.choose(isCompact ? 'comfortable' : 'compact')}
      className="max-md:hidden"
    />
  )
}
