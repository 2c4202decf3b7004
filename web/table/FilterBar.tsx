import { ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { focusContent } from '#web/ui/focus-content.ts'
import { usePhone } from '#web/ui/use-phone.ts'
import { SortSelect } from './SortMenu.tsx'
import { useSheetSorting } from './sorting.tsx'

interface Props {
  /** Stays beside the button on a phone. */
  search?: ReactNode
  /** How many filters are in use. */
  count: number
  onClear: () => void
  /** What they leave: '12 pagos'; unknown while something typed is not applied. */
  found: string | undefined
  /** Applies what was typed. */
  onApply?: () => void
  children: ReactNode
}

/** The search and the filters of a list in one row; on a phone the filters are a sheet. */
export function FilterBar({ search, count, onClear, found, onApply, children }: Props) {
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const sorting = useSheetSorting(phone)
  const close = () => setOpen(false)
  const apply = () => {
    onApply?.()
    close()
  }
  const clear = () => {
    focusContent()
    onClear()
  }
  if (!phone) {
    return (
      <>
        {search}
        {children}
        {count > 0 && <Button onClick={clear}>Limpiar</Button>}
      </>
    )
  }
  return (
    <>
      {search}
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
        {count > 0 ? `Filtros (${count})` : 'Filtros'}
      </Button>
      {open && (
        <Dialog
          title="Filtros"
          holdsFields
          onClose={close}
          footer={
            <>
              <Button onClick={onClear} disabled={count === 0}>
                Limpiar
              </Button>
              <Button variant="primary" onClick={apply}>
                {found ? `Ver ${found}` : 'Ver resultados'}
              </Button>
            </>
          }
        >
          <div className="flex flex-wrap gap-3 pt-1">
            {children}
            {sorting && <SortSelect {...sorting} />}
          </div>
        </Dialog>
      )}
    </>
  )
}
