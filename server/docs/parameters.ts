import { PARAM_LIMIT } from '#contract/tracking.ts'
import type { Parameter, Schema } from './page.ts'

export const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

export const text = (description: string, maxLength = PARAM_LIMIT): Schema => ({
  type: 'string',
  maxLength,
  description,
})

export const inQuery = (name: string, schema: Schema, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  description: schema.description ?? '',
  schema,
})
