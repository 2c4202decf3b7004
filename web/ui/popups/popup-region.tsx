import type { ControlProps } from '#web/ui/option.ts'

/** Popups are rendered at the end of the page; a region gives them a landmark for screen readers. */
export const popupRegion = <section aria-label="Opciones" />

/** A closed select leaves its list in the page, so each region needs a name of its own. */
export const regionOf = ({ 'aria-label': label, 'aria-labelledby': labelledBy }: ControlProps) =>
  labelledBy ? <section aria-labelledby={labelledBy} /> : <section aria-label={label ?? 'Opciones'} />
