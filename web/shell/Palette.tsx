import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { Role } from '#contract/roles.ts'
import { SEARCH_LETTERS_MIN, search } from '#contract/search.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { rightsQuery } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { counted } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { isSecondClick } from '#web/ui/popups/opener.ts'
import { type Group, groupsOf, type Row } from './palette-rows.ts'
import { singleKeys } from './single-keys.ts'

const DEBOUNCE_MS = 250

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.search, q],
    queryFn: ({ signal }) => call(search.find, { query: { q }, signal }),
    enabled: q.length >= SEARCH_LETTERS_MIN,
    staleTime: 0,
    meta: { quiet: true },
  })

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

interface Props {
  role: Role
  onClose: () => void
}

/** Every screen, row and action of the viewer, by name or id. Open for as long as it is mounted. */
export function Palette({ role, onClose }: Props) {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const settled = useSettled(text)
  const found = useQuery(searchQuery(settled))
  const rights = useQuery(rightsQuery())
  const isCurrent = settled === text
  const isAsked = text.length >= SEARCH_LETTERS_MIN
  // What was found for another text would be chosen by who types on and presses Enter.
  const groups = groupsOf(role, text, isAsked && isCurrent ? found.data : undefined, rights.data?.manages_people)
  const failed = isAsked && isCurrent && found.isError && !found.isFetching
  const waiting = isAsked && !failed && !(isCurrent && found.data)
  const choose = ({ path }: Row) => {
    onClose()
    void navigate(path)
  }
  return (
    <Dialog.Root open onOpenChange={(open, { event }) => open || isSecondClick(event) || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Popup
          aria-label="Buscar"
          initialFocus={input}
          className="fixed inset-0 z-40 flex flex-col bg-surface outline-none sm:inset-x-0 sm:top-[15vh] sm:bottom-auto sm:mx-auto sm:max-h-[70vh] sm:w-[40rem] sm:max-w-[calc(100vw-3rem)] sm:rounded-2xl sm:border sm:shadow-popup"
        >
          <Autocomplete.Root
            items={groups}
            mode="none"
            inline
            open
            autoHighlight="always"
            keepHighlight
            value={typed}
            onValueChange={(value, { reason }) => reason !== 'item-press' && setTyped(value)}
            itemToStringValue={({ label }: Row) => label}
          >
            <div className="flex h-12 shrink-0 items-center gap-3 border-b pr-2 pl-4">
              <Search aria-hidden className="size-4 shrink-0 text-faint" />
              <Autocomplete.Input
                ref={input}
                aria-label="Buscar"
                placeholder="Buscar…"
                onKeyDown={(event) => event.key === 'Escape' && onClose()}
                className="h-full w-full min-w-0 bg-transparent outline-none"
              />
              <Dialog.Close render={<IconButton label="Cerrar búsqueda" icon={X} className="max-sm:size-11" />} />
            </div>
            <Autocomplete.List className="min-h-0 overflow-y-auto not-empty:p-2 max-sm:flex-1" aria-label="Resultados">
              {(group: Group) => <Rows key={group.value} group={group} onChoose={choose} />}
            </Autocomplete.List>
            <Autocomplete.Status className="px-4 py-2 text-muted">
              {statusOf(groups, text, { waiting, failed })}
            </Autocomplete.Status>
          </Autocomplete.Root>
          {failed && (
            <div className="px-4 pb-3">
              <Button onClick={() => void found.refetch()}>Reintentar</Button>
            </div>
          )}
          <Foot />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function statusOf(groups: Group[], text: string, { waiting, failed }: { waiting: boolean; failed: boolean }): string {
  if (waiting) return 'Buscando…'
  if (failed) return 'No se pudo buscar'
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return count === 0 ? `Sin resultados para «${text}»` : counted(count, 'resultado', 'resultados')
}

const Rows = ({ group, onChoose }: { group: Group; onChoose: (row: Row) => void }) => (
  <Autocomplete.Group items={group.items}>
    <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-semibold text-muted">
      {group.value}
    </Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(row: Row) => (
        <Autocomplete.Item key={row.key} value={row} onClick={() => onChoose(row)} className="option h-11 sm:h-10">
          <row.icon aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="max-w-[60%] shrink-0 truncate">{row.label}</span>
          {row.hint && <span className="min-w-0 truncate text-muted">{row.hint}</span>}
        </Autocomplete.Item>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
)

function Foot() {
  const on = useSyncExternalStore(singleKeys.subscribe, singleKeys.areOn)
  return (
    <label className="flex min-h-11 shrink-0 items-center gap-2.5 border-t px-4 text-muted">
      <input
        type="checkbox"
        checked={!on}
        onChange={(event) => singleKeys.turn(!event.target.checked)}
        className="size-4 shrink-0 accent-brand"
      />
      Desactivar atajos de una tecla
    </label>
  )
}
