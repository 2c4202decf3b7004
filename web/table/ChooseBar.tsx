import { CheckCheck, Ellipsis, FileSpreadsheet, FileText, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { countOf } from './nouns.ts'
import type { Choosing } from './use-choosing.ts'
import { type Exported, useExport } from './use-export.ts'

interface Props<Row> {
  choosing: Choosing<Row>
  /** Filters are in use. */
  filtered: boolean
  onDrop: () => void
}

/** '3 pagos · $24,820.00' */
const said = <Row,>({ chosen, nouns, sum }: Choosing<Row>): string =>
  [countOf(chosen.length, nouns), sum?.(chosen)].filter(Boolean).join(' · ')

const exportedOf = <Row,>({ exports, chosen }: Choosing<Row>): Exported => ({
  of: exports,
  query: { ids: chosen.map((row) => (row as { id: number }).id).join() },
})

/** 'Elegir los 48 del filtro', while there are more to choose. */
function mostText<Row>({ chosen, most, nouns }: Choosing<Row>, filtered: boolean): string | undefined {
  if (chosen.length >= most) return undefined
  return `Elegir ${nouns.the} ${formatNumber(most)}${filtered ? ' del filtro' : ''}`
}

/** What can be done with the chosen rows; over the heads of the table, which begin with the box of all. */
export function ChooseBar<Row>({ choosing, filtered, onDrop }: Props<Row>) {
  const { chosen, actions = [] } = choosing
  const isEmpty = chosen.length === 0
  const most = mostText(choosing, filtered)
  return (
    <div className="sticky top-(--table-top,3.5rem) z-20 h-0 narrow:h-auto print:hidden">
      <div
        data-choose-bar
        inert={isEmpty}
        className="absolute inset-x-0 top-0 flex h-10 items-center gap-2 rounded-t-xl border-b bg-brand-soft pr-2 pl-11 transition-opacity duration-150 ease-[cubic-bezier(.2,0,0,1)] inert:pointer-events-none inert:opacity-0 narrow:static narrow:h-auto narrow:flex-wrap narrow:py-1.5 narrow:pl-4 narrow:inert:hidden"
      >
        <span aria-hidden className="font-medium whitespace-nowrap text-brand-ink tabular-nums">
          {said(choosing)}
        </span>
        {!isEmpty && most && (
          <Button size="sm" variant="ghost" onClick={choosing.chooseMost}>
            {most}
          </Button>
        )}
        {!isEmpty && (
          <span className="ml-auto flex items-center gap-2">
            <ExportMenu size="sm" {...exportedOf(choosing)} />
            {actions.map(({ label, icon, onClick, disabledReason }) => (
              <Button key={label} size="sm" icon={icon} onClick={() => onClick(chosen)} disabledReason={disabledReason}>
                {label}
              </Button>
            ))}
            <IconButton label="Quitar selección" icon={X} onClick={onDrop} />
          </span>
        )}
      </div>
    </div>
  )
}

/** The same at the lower edge of a phone. */
export function PhoneChooseBar<Row>({ choosing, filtered, onDrop }: Props<Row>) {
  const { chosen, actions = [], nouns, sum } = choosing
  const { start, isPending, stop } = useExport(exportedOf(choosing))
  const most = mostText(choosing, filtered)
  const [first, ...others] = actions
  if (chosen.length === 0) return null
  return (
    <div
      data-choose-bar
      className="sticky bottom-0 z-20 flex print:hidden h-14 items-center gap-1 rounded-b-xl border-t bg-brand-soft pr-1.5 pl-4 shadow-popup"
    >
      <span aria-hidden className="mr-auto grid leading-tight font-medium text-brand-ink tabular-nums">
        {countOf(chosen.length, nouns)}
        {sum && <span className="text-xs font-normal">{sum(chosen)}</span>}
      </span>
      {first && (
        <Button onClick={() => first.onClick(chosen)} disabledReason={first.disabledReason}>
          {first.label}
        </Button>
      )}
      {isPending ? (
        <Button onClick={stop}>Cancelar exportación</Button>
      ) : (
        <Menu
          trigger={<IconButton label="Más acciones de la selección" icon={Ellipsis} />}
          items={[
            ...others.map(({ onClick, ...action }) => ({ ...action, onClick: () => onClick(chosen) })),
            { label: 'Exportar CSV', icon: FileText, onClick: () => start('csv') },
            { label: 'Exportar Excel', icon: FileSpreadsheet, onClick: () => start('xlsx') },
            ...(most ? [{ label: most, icon: CheckCheck, onClick: choosing.chooseMost }] : []),
          ]}
        />
      )}
      <IconButton label="Quitar selección" icon={X} onClick={onDrop} />
    </div>
  )
}

/** Says politely what is chosen: the bar itself may have been inert a moment ago. */
export const ChosenStatus = <Row,>({ choosing }: { choosing: Choosing<Row> }) => (
  <span role="status" className="sr-only">
    {choosing.chosen.length > 0 && said(choosing)}
  </span>
)

const ELSEWHERE = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], input:not([type=checkbox]), textarea'

/**
 * Takes the choice back, as Escape does where it is not meant for a field or for what lies over the list. A focus in the
 * bar, which is gone with the choice, goes to the first box.
 */
export function useDropChoice<Row>(choosing: Choosing<Row> | undefined, box: RefObject<HTMLElement | null>) {
  const drop = () => {
    const isInBar = document.activeElement?.closest('[data-choose-bar]')
    choosing?.clear()
    if (isInBar) box.current?.querySelector<HTMLElement>('input[type=checkbox]')?.focus()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isMeant = event.key === 'Escape' && !event.defaultPrevented && !(event.target as Element).closest(ELSEWHERE)
    if (isMeant) drop()
  })
  const isOn = choosing !== undefined && choosing.chosen.length > 0
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn])
  return drop
}
