import { laterDialog } from './later.tsx'

/** From here on a panel stands beside its list (styles.css gives it the room); below, it lies over it. */
export const BESIDE = '(min-width: 80rem)'

/** Keeps the room of an open panel from the first paint of its list: taken later, it would move the rows. */
export const PanelRoom = () => <span hidden data-panel-room="" />

export const Panel = laterDialog(async () => (await import('./popups/Panel.tsx')).Panel)
