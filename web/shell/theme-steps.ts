// No imports and nothing of the browser: the landing page is drawn where there is no window.

/** One button goes round: the system's theme, light, dark. */
export const themeSteps = {
  system: { name: 'del sistema', next: 'light' },
  light: { name: 'claro', next: 'dark' },
  dark: { name: 'oscuro', next: 'system' },
} as const

export const themeLabel = (theme: keyof typeof themeSteps): string =>
  `Tema ${themeSteps[theme].name}; cambiar a ${themeSteps[themeSteps[theme].next].name}`
