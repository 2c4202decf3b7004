import { laterDialog } from './later.tsx'

/** From here on a panel stands beside its list (styles.css gives it the room); below, it lies over it. */
export const BESIDE = '(min-width: 80rem)'

export const Panel = laterDialog(async () => (await import('./popups/Panel.tsx')).Panel)
