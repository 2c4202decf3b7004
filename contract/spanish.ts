import { z } from 'zod'
import es from 'zod/v4/locales/es.js'
import { REQUIRED } from './fields.ts'

/** Rules without a text of their own speak Spanish, and what is missing says so. Called once where a program starts. */
export function speakSpanish(): void {
  z.config({
    ...es(),
    customError: (issue) =>
      issue.code === 'invalid_type' && (issue.input === undefined || issue.input === null) ? REQUIRED : undefined,
  })
}
