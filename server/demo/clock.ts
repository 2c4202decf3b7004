import { addDays } from '#contract/time.ts'
import { at, dateOf } from './calendar.ts'

/** The moment at which the demonstration ends; everything in it lies before. */
export class Clock {
  readonly now: number
  readonly today: string

  constructor(now: number) {
    this.now = now
    this.today = dateOf(now)
  }

  /** A moment of an earlier day, by Mexico City's hour; never after now. */
  ago(days: number, hour = 11, minute = 0): number {
    return Math.min(at(addDays(this.today, -days), hour, minute), this.now)
  }
}
