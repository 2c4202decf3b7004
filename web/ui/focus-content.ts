/** Where a pressed button disappears, the keyboard goes on from the screen's beginning. */
export const focusContent = (): void => document.getElementById('contenido')?.focus({ preventScroll: true })
