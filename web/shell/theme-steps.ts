// No imports and no browser API: the landing page is rendered without a window.

/** The button cycles: the system's theme, light, dark. */
export const themeSteps = {
  system: { name: 'del sistema', next: 'light' },
  light: { name: 'claro', next: 'dark' },
  dark: { name: 'oscuro', next: 'system' },
} as const

export const themeLabel = (theme: keyof typeof themeSteps): string =>
  `Tema ${themeSteps[theme].name}; cambiar a ${themeSteps[themeSteps[theme].next].name}`
