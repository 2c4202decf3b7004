import { laterControl, useLaterPopup } from './later.tsx'
import { SelectButton, type SelectProps } from './SelectButton.tsx'

const popup = laterControl(async () => (await import('./popups/Select.tsx')).Select)

/** A choice among few. For long lists there is Combobox. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { Popup, button } = useLaterPopup(popup)
  const { onChange, ...look } = props
  return Popup ? <Popup {...props} /> : <SelectButton {...look} {...button} />
}
