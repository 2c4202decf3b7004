import { ChartNoAxesColumn } from 'lucide-react'
import type { CommissionReport, Figures, Funnel, Performance } from '#contract/boards.ts'
import type { Role } from '#contract/roles.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { roleOf } from '#web/role-paths.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { focusContent } from '#web/ui/focus-content.ts'
import { NO_FILTERS } from './period.ts'

/** What will be here, and the first day that brings it. */
const coming = {
  figures: {
    admin:
      'Aquí verás los leads, las conversiones y las comisiones de cada día, desde el día siguiente al primer clic en el enlace de un afiliado.',
    issuer:
      'Aquí verás los leads, las conversiones y las comisiones de cada día, desde el día siguiente al primer clic hacia uno de tus productos.',
    affiliate:
      'Aquí verás tus leads, tus conversiones y tus comisiones de cada día, desde el día siguiente al primer clic en uno de tus enlaces.',
  },
  commissions:
    'Aquí verás las comisiones de cada día y su estado, desde el día siguiente a que un lead llegue a un paso que genera comisión.',
  funnel: 'Aquí verás hasta qué paso llegan los leads de este producto, desde el día siguiente a su primer clic.',
}

/** A board of one product is never without one, and has no filter of issuers. */
const { product_id: _, issuer_id: __, ...BESIDE_PRODUCT } = NO_FILTERS

/** In place of pictures and tables in which nothing would be. */
export function NoData({ of }: { of: keyof typeof coming }) {
  const role = roleOf(useAuth().user?.role)
  const filters = useUrlFilters<Record<string, string>>(of === 'funnel' ? BESIDE_PRODUCT : NO_FILTERS)
  const clear = () => {
    focusContent()
    filters.clear()
  }
  return (
    <Card>
      {filters.active ? (
        <EmptyState
          icon={ChartNoAxesColumn}
          text="Sin movimientos en el periodo"
          hint="Ninguno coincide con los filtros en uso."
          action={<Button onClick={clear}>Limpiar filtros</Button>}
        />
      ) : (
        <EmptyState
          icon={ChartNoAxesColumn}
          text="Sin movimientos en los últimos 30 días"
          hint={`${comingTo(of, role)} Los de hoy se ven con el periodo «Hoy».`}
        />
      )}
    </Card>
  )
}

const comingTo = (of: keyof typeof coming, role: Role | undefined): string =>
  of === 'figures' ? coming.figures[role ?? 'admin'] : coming[of]

const isStill = ({ leads, conversions, commission }: Omit<Figures, 'conversion_rate'>): boolean =>
  leads === 0 && conversions === 0 && Number(commission) === 0

/** Neither in the period nor in the one before. */
export const hasNoFigures = ({ days, products }: Pick<Performance, 'days' | 'products'>): boolean =>
  products.length === 0 && days.every((day) => isStill(day) && (!day.previous || isStill(day.previous)))

export const hasNoCommissions = ({ days, products }: Pick<CommissionReport, 'days' | 'products'>): boolean =>
  products.length === 0 && days.every(({ earned, reversed }) => Number(earned) === 0 && Number(reversed) === 0)

/** Nor did older leads get any further. */
export const hasNoLeads = ({ leads, steps }: Pick<Funnel, 'leads' | 'steps'>): boolean =>
  leads === 0 && steps.every(({ reached, events }) => reached === 0 && events === 0)
