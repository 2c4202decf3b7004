import { addDays } from '#contract/time.ts'

/** Dates are yyyy-MM-dd texts, months yyyy-MM. */
export const monthOf = (date: string): string => date.slice(0, 7)

export function addMonths(month: string, count: number): string {
  const [year = 0, index = 1] = month.split('-').map(Number)
  const total = year * 12 + index - 1 + count
  return `${String(Math.floor(total / 12)).padStart(4, '0')}-${String((total % 12) + 1).padStart(2, '0')}`
}

const weekday = (date: string): number => new Date(Date.parse(date)).getUTCDay()
const lastDay = (month: string): string => addDays(`${addMonths(month, 1)}-01`, -1)

/** The weeks of a month from Sunday on, as Mexico counts them; days of the neighbours fill them up. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const start = addDays(first, -weekday(first))
  const weeks: string[][] = []
  for (let day = start; day <= lastDay(month); day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)))
  }
  return weeks
}

/** The same day of another month, or its last one. */
export function inMonth(date: string, month: string): string {
  const moved = `${month}-${date.slice(8)}`
  return moved > lastDay(month) ? lastDay(month) : moved
}

const SEPARATED = /^(\d{1,2})\s*[/.\p{Pd}]\s*(\d{1,2})\s*[/.\p{Pd}]\s*(\d{4}|\d{2})$/u
const TOGETHER = /^(\d{2})(\d{2})(\d{4})$/

/** What is typed as day/month/year, also 01102026 and 1/10/26, or pasted as yyyy-MM-dd, as a date; anything else stays for the schema to refuse. */
export function typedDate(text: string): string {
  const typed = text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  const [, day, month, year] = SEPARATED.exec(typed) ?? TOGETHER.exec(typed) ?? []
  if (!day || !month || !year) return typed
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `2025-03-04` reads 04/03/2025. */
export const shownDate = (date: string): string => date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')
