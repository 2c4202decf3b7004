/** Where a pressed button disappears, the keyboard goes on from the beginning of the screen, or of the dialog over it. */
export const focusContent = (): void =>
  [...document.querySelectorAll<HTMLElement>('#contenido, [data-dialog]')].at(-1)?.focus({ preventScroll: true })
