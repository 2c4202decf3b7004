import { ListFilter, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { cutTo } from '#web/form/clean.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { type TextField, textFieldNames, textFields } from './filters.ts'

export type Drafts = Partial<Record<TextField, string>>

interface Props {
  /** What the list is filtered by now. */
  active: Record<TextField, string>
  /** What is typed and not applied yet; 'Agregar' opens a field. */
  drafts: Drafts
  onDraft: (field: TextField, text: string) => void
  onRemove: (field: TextField) => void
  onApply: () => void
}

export function TextFilters({ active, drafts, onDraft, onRemove, onApply }: Props) {
  const shown = textFieldNames.filter((field) => active[field] !== '' || drafts[field] !== undefined)
  const fields = useRef<HTMLFieldSetElement>(null)
  // The pressed control disappears, so the focus moves to its replacement.
  const then = (change: () => void, next: string) => {
    flushSync(change)
    fields.current?.querySelector<HTMLElement>(next)?.focus()
  }
  return (
    <fieldset ref={fields} className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
      <legend className="sr-only">Filtrar por texto</legend>
      {shown.map((field) => (
        <div key={field} className="field-box w-full pr-1 pl-3 sm:w-84">
          <span aria-hidden className="shrink-0 text-xs text-muted">
            {textFields[field]}
          </span>
          <input
            name={field}
            aria-label={textFields[field]}
            placeholder={`Ingresa ${textFields[field]}`}
            value={drafts[field] ?? active[field]}
            onChange={(event) => onDraft(field, cutTo(event.target.value, 255))}
            onKeyDown={(event) => event.key === 'Enter' && onApply()}
            className="min-h-[2.125rem] w-full min-w-0 truncate bg-transparent px-2 outline-none"
          />
          <IconButton
            label={`Quitar ${textFields[field]}`}
            icon={X}
            onClick={() => then(() => onRemove(field), CHOOSER)}
            className="size-7"
          />
        </div>
      ))}
      <FieldChooser taken={shown} onAdd={(field) => then(() => onDraft(field, ''), `[name=${field}]`)} then={then} />
    </fieldset>
  )
}

/** Closed or open. */
const CHOOSER = '[name=choose-field], [role=combobox]'

interface ChooserProps {
  taken: TextField[]
  onAdd: (field: TextField) => void
  then: (change: () => void, next: string) => void
}

function FieldChooser({ taken, onAdd, then }: ChooserProps) {
  const [open, setOpen] = useState(false)
  const [field, setField] = useState<TextField>()
  const close = () => {
    setOpen(false)
    setField(undefined)
  }
  const options = textFieldNames
    .filter((name) => !taken.includes(name))
    .map((name) => ({ value: name, label: textFields[name] }))
  if (!open)
    return (
      <Button
        name="choose-field"
        icon={ListFilter}
        onClick={() => then(() => setOpen(true), CHOOSER)}
        disabled={options.length === 0}
      >
        Filtrar por
      </Button>
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Campo"
        placeholder="Campo"
        options={options}
        value={field ?? null}
        onChange={setField}
        className="w-44"
      />
      <Button
        disabledReason={field ? undefined : 'Elige un campo'}
        onClick={() => {
          if (!field) return
          onAdd(field)
          close()
        }}
      >
        Agregar
      </Button>
      <IconButton label="Cancelar" icon={X} onClick={() => then(close, CHOOSER)} />
    </div>
  )
}
