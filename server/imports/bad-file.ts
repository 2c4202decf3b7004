import { AppError } from '../http/errors.ts'

/** What is wrong with a file, for who sent it. */
export const badFile = (message: string) => new AppError(422, 'BAD_FILE', message)

export const tooLarge = (megabytes: number) =>
  new AppError(413, 'FILE_TOO_LARGE', `El archivo pasa de ${megabytes} MB. Divídelo en varios.`)
