import { z } from 'zod'
import { Money } from './fields.ts'

/** Of commissions that wait for an approval: those that are held besides, and their sum. */
export const heldAmong = { held: z.number().int(), held_amount: Money }
