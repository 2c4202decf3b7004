import type { ReactNode } from 'react'

interface Props {
  rows: readonly { value: string; hint: string }[]
  control: (value: string) => ReactNode
}

/** A value of the file beside what it means here. */
export function ValueRows({ rows, control }: Props) {
  return (
    <ul className="divide-y">
      {rows.map(({ value, hint }) => (
        <li key={value} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
          <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
            {value === '' ? <span className="text-muted">(vacío)</span> : <span className="font-medium">{value}</span>}{' '}
            <span className="text-xs whitespace-nowrap text-muted">{hint}</span>
          </span>
          <span className="w-full sm:w-72">{control(value)}</span>
        </li>
      ))}
    </ul>
  )
}
