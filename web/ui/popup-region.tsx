import type { ControlProps } from './option.ts'

/** Lists that open over the page hang from its end; as a region of its own they belong somewhere for screen readers. */
export const popupRegion = <section aria-label="Opciones" />

/** A select keeps its list in the page once it was opened, and regions must not share a name. */
export const regionOf = ({ 'aria-label': label, 'aria-labelledby': labelledBy }: ControlProps) =>
  labelledBy ? <section aria-labelledby={labelledBy} /> : <section aria-label={label ?? 'Opciones'} />
