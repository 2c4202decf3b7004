import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

type Texts = Record<string, string>

interface UrlFilters<Filters extends Texts> {
  filters: Filters
  /** Changes some filters; defaults are left out of the address. */
  change: (changes: Partial<Filters>) => void
  /** Also what is searched and the order, not only what `count` counts. */
  clear: () => void
  /** Some filter differs from its default. */
  active: boolean
  /** How many do, apart from what is typed, the page and the order. */
  count: number
}

const NO_FILTERS = new Set(['q', 'page', 'page_size', 'pagina', 'ordering'])

/**
 * Filters that live in the address, so that a view can be bookmarked and shared. `defaults` is a constant outside the
 * component; its keys are the parameters.
 */
export function useUrlFilters<Filters extends Texts>(defaults: Filters): UrlFilters<Filters> {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(
    () =>
      Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value])) as Filters,
    [params, defaults],
  )
  const change = useCallback(
    (changes: Partial<Filters>) => {
      // Read from the address: a debounced search would restore the filters of its own render.
      const next = new URLSearchParams(window.location.search)
      // Other rows begin with their first page; what pages by itself says its own.
      if (!('pagina' in defaults)) next.delete('pagina')
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === defaults[name]) next.delete(name)
        else next.set(name, value)
      }
      setParams(next, { replace: true, preventScrollReset: true })
    },
    [setParams, defaults],
  )
  const clear = useCallback(() => change(defaults), [change, defaults])
  const changed = Object.keys(defaults).filter((name) => filters[name] !== defaults[name])
  const count = changed.filter((name) => !NO_FILTERS.has(name)).length
  return { filters, change, clear, active: changed.length > 0, count }
}
