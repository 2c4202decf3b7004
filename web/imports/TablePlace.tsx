import { useRef, useState } from 'react'
import { HEADER_ROW_MAX, type ImportDetail, imports } from '#contract/imports.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { FieldFrame } from '#web/form/FieldFrame.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Select } from '#web/ui/Select.tsx'
import { sentFile, useReadAgain } from './queries.ts'

const rows = [
  ...Array.from({ length: HEADER_ROW_MAX }, (_, index) => ({ value: index + 1, label: `Renglón ${index + 1}` })),
  { value: 0, label: 'No tiene encabezado' },
]

interface Props {
  file: ImportDetail
  /** It was read in another way, and is another one now. */
  onRead: (id: number) => void
}

/** Where the table of a file was found, and another place for it: the file is read again, and this reading discarded. */
export function TablePlace({ file, onRead }: Props) {
  const [sheet, setSheet] = useState(file.sheet)
  const [header_row, setHeaderRow] = useState(file.header_row)
  const input = useRef<HTMLInputElement>(null)
  const [again, refuse] = [useReadAgain(file.id), useRefusal()]
  const read = (sent: File | undefined) => {
    if (!sent) return
    const place = { sheet: sheet ?? undefined, header_row, issuer_id: file.issuer_id }
    const { signal } = new AbortController()
    again.mutate({ file: sent, ...place, signal }, { onSuccess: ({ id }) => onRead(id) })
  }
  const known = sentFile(file.id)
  const isSame = sheet === file.sheet && header_row === file.header_row
  return (
    <div className="mt-4 grid grid-cols-1 items-end gap-x-6 gap-y-2 sm:grid-cols-[1fr_1fr_auto]">
      {file.sheets.length > 1 && (
        <FieldFrame label="Hoja del archivo">
          {(control) => (
            <Select
              {...control}
              options={file.sheets.map((name) => ({ value: name, label: name }))}
              value={sheet}
              onChange={setSheet}
            />
          )}
        </FieldFrame>
      )}
      <FieldFrame label="Dónde está el encabezado" error={again.error?.message}>
        {(control) => <Select {...control} options={rows} value={header_row} onChange={setHeaderRow} />}
      </FieldFrame>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,.xlsx"
        aria-label="El mismo archivo, otra vez"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => read(event.target.files?.[0])}
      />
      {!isSame && (
        <Button
          busy={again.isPending}
          busyText="Leyendo..."
          disabledReason={refuse(imports.create)}
          onClick={() => (known ? read(known) : input.current?.click())}
        >
          {known ? 'Leer de nuevo' : 'Elegir el archivo otra vez'}
        </Button>
      )}
    </div>
  )
}
