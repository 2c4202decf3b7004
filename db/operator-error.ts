/** Something the operator can fix: shown as one sentence, never with a stack. */
export class OperatorError extends Error {
  /** A retry may succeed without any change of settings. */
  readonly mayPass: boolean

  constructor(message: string, { mayPass = false, ...options }: ErrorOptions & { mayPass?: boolean } = {}) {
    super(message, options)
    this.name = 'OperatorError'
    this.mayPass = mayPass
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const REASONS: Record<string, string> = {
  EACCES: 'falta el permiso',
  EPERM: 'falta el permiso',
  EROFS: 'el disco está montado solo para lectura',
  ENOSPC: 'el disco está lleno',
  EDQUOT: 'se agotó la cuota del disco',
  ENOTDIR: 'una parte de la ruta no es una carpeta',
  EEXIST: 'ya existe un archivo con ese nombre',
  ENOENT: 'la ruta no existe y no se puede crear',
}

/** Translates a refusal of the file system; anything else passes unchanged. */
export function folderError(folder: string, error: unknown): unknown {
  const reason = REASONS[codeOf(error) ?? '']
  return reason
    ? new OperatorError(`No se puede usar la carpeta de datos ${folder}: ${reason} (DATA_DIR).`, { cause: error })
    : error
}

const REFUSALS = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']

/** The operating system's refusal of one of our files, in words; anything else passes unchanged. */
export function fileError(error: unknown): unknown {
  const code = codeOf(error) ?? ''
  if (!REFUSALS.includes(code) || !(error instanceof Error) || !('path' in error)) return error
  return new OperatorError(`No se puede usar ${error.path}: ${REASONS[code]}.`, { cause: error })
}
