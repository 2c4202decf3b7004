import { cx } from '#web/ui/cx.ts'
import { Select } from '#web/ui/Select.tsx'
import type { Sorting } from './sorting.tsx'

/** Cards have no heads to click on; they are sorted here. */
export const SortSelect = ({ options, value, onChange }: Sorting) => (
  <Select
    aria-label="Ordenar por"
    placeholder="Ordenar por..."
    options={options}
    value={value}
    onChange={onChange}
    className="w-full"
  />
)

export const SortMenu = ({ sorting, className }: { sorting: Sorting; className?: string }) =>
  sorting.options.length > 0 && (
    <div className={cx('border-b p-3 print:hidden', className)}>
      <SortSelect {...sorting} />
    </div>
  )
