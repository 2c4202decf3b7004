import type { Choosing } from './use-choosing.ts'

interface Props {
  label: string
  checked: boolean
  /** Some of what it stands for is chosen. */
  mixed?: boolean
  disabled?: boolean
  onTouch: (withRange: boolean) => void
}

export const ChooseBox = ({ label, checked, mixed = false, disabled = false, onTouch }: Props) => (
  // What reaches over the box chooses too, and opens nothing.
  <label className="-m-2 inline-flex size-9 align-middle items-center justify-center max-sm:m-0 max-sm:size-11">
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      ref={(box) => {
        if (box) box.indeterminate = mixed
      }}
      // With Shift a browser would mark the text in between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onChange={({ nativeEvent }) => onTouch((nativeEvent as MouseEvent).shiftKey)}
      className="size-4 accent-brand max-sm:size-5"
    />
  </label>
)

export const RowBox = <Row,>({ row, choosing }: { row: Row; choosing: Choosing<Row> }) => (
  <ChooseBox
    label={`Elegir ${choosing.name(row)}`}
    checked={choosing.has(row)}
    onTouch={(withRange) => choosing.touch(row, withRange)}
  />
)

/** All rows of the page that is shown. */
export const PageBox = <Row,>({ choosing: { nouns, page, togglePage } }: { choosing: Choosing<Row> }) => (
  <ChooseBox
    label={`Elegir ${nouns.the} ${nouns.many} de esta página`}
    checked={page === 'all'}
    mixed={page === 'some'}
    disabled={page === 'empty'}
    onTouch={togglePage}
  />
)
