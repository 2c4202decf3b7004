import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isId } from './address.ts'

/** How an address names a row whose details are open. */
export interface RowPanel {
  param: string
  /** The open row; 0 where the address names none that there could be. */
  id: number | undefined
  /** The ids of the list, as it is sorted and filtered. */
  order: readonly number[]
  setOrder: (order: readonly number[]) => void
  open: (id: number) => void
  close: () => void
  /** As close(), of a row that was deleted: the focus stays where it went then. */
  closeRemoved: () => void
  /** What a link needs to do as open() does. */
  linkTo: (id: number) => { to: { search: string }; state: unknown; replace: boolean }
}

const NONE: readonly number[] = []

/** An address may be typed. */
const idIn = (text: string): number => (isId(text) ? Number(text) : 0)

const changed = (search: string, param: string, id?: number): string => {
  const params = new URLSearchParams(search)
  if (id === undefined) params.delete(param)
  else params.set(param, String(id))
  return params.size > 0 ? `?${params}` : ''
}

export const rowLinkId = (param: string, id: number | string): string => `${param}-${id}`

/**
 * The row that the address opens, `?pago=41`. Opening is a step that Back undoes, going on to a neighbour is none; when
 * it closes, the focus goes to the row that was shown last.
 */
export function usePanel(param: string): RowPanel {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const [order, setOrder] = useState(NONE)
  const text = new URLSearchParams(search).get(param)
  const id = text === null ? undefined : idIn(text)
  const forget = useFocusAfter(param, id)

  const listSearch = changed(search, param)
  const linkTo = (next: number) => ({
    to: { search: changed(search, param, next) },
    state: id === undefined ? { listSearch } : state,
    replace: id !== undefined,
  })
  const open = (next: number) => {
    const { to, ...options } = linkTo(next)
    void navigate(to, { ...options, preventScrollReset: true })
  }
  const close = () => {
    // A list that was filtered meanwhile stays as it is.
    if ((state as { listSearch?: string } | null)?.listSearch === listSearch) void navigate(-1)
    else void navigate({ search: listSearch }, { replace: true, preventScrollReset: true })
  }
  const closeRemoved = () => {
    forget()
    close()
  }
  return { param, id, order, setOrder, open, close, closeRemoved, linkTo }
}

function useFocusAfter(param: string, id: number | undefined) {
  const last = useRef<number>(undefined)
  useEffect(() => {
    if (id !== undefined) {
      last.current = id
      return
    }
    if (last.current === undefined) return
    const link = document.getElementById(rowLinkId(param, last.current))
    ;(link ?? document.getElementById('contenido'))?.focus()
    last.current = undefined
  }, [param, id])
  return () => {
    last.current = undefined
  }
}

/** Tells the panel the order of the rows, and keeps the open one on the page and in sight. */
export function useShownRow(panel: RowPanel | undefined, order: readonly number[], pages?: Pages) {
  const { id, param = '', setOrder } = panel ?? {}
  useEffect(() => setOrder?.(order), [setOrder, order])
  const index = id === undefined ? -1 : order.indexOf(id)
  const isListed = index >= 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever turns the page meanwhile is not brought back
  useEffect(() => {
    if (isListed) pages?.onPage(Math.floor(index / pages.size))
  }, [id, isListed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there once its page is
  useEffect(() => {
    if (isListed && id !== undefined)
      document.getElementById(rowLinkId(param, id))?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }, [param, id, isListed, pages?.index])
}

interface Pages {
  index: number
  size: number
  onPage: (index: number) => void
}
