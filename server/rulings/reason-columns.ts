import { sql } from 'kysely'
import type { Side } from '../viewer.ts'

// Of queries that join reject_reason: an affiliate reads of a reason what may be told of it, the others all.

export const labelFor = ({ role }: Side) =>
  role === 'affiliate' ? sql<string | null>`public_label(reject_reason)` : sql<string | null>`label`

export const adviceFor = ({ role }: Side) =>
  role === 'affiliate' ? sql<string | null>`public_advice(reject_reason)` : sql<string | null>`advice`
