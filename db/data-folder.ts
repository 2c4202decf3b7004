import { mkdirSync } from 'node:fs'

/** PostgreSQL's own user must be able to traverse it when we are root. */
export const makeDataFolder = (folder: string): void =>
  void mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
