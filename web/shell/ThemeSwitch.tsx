import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useSyncExternalStore } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'
import { type Theme, theme } from './theme.ts'
import { themeLabel, themeSteps } from './theme-steps.ts'

const icons: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon }

export function ThemeSwitch() {
  const chosen = useSyncExternalStore(theme.subscribe, theme.choice, () => 'system' as const)
  return (
    <IconButton label={themeLabel(chosen)} icon={icons[chosen]} onClick={() => theme.choose(themeSteps[chosen].next)} />
  )
}
