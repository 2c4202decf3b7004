import { useQuery } from '@tanstack/react-query'
import { Filter } from 'lucide-react'
import { Link } from 'react-router'
import { DEFAULT_DAYS, lastDays } from '#contract/periods.ts'
import { FunnelBars } from '#web/boards/FunnelSteps.tsx'
import { funnelQuery } from '#web/boards/queries.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { moversQuery } from './queries.ts'

/** How far the leads of the product with most of them get. */
export function FunnelCard() {
  const movers = useQuery(moversQuery())
  const product = movers.data?.busiest_product ?? null
  const asked = { ...lastDays(DEFAULT_DAYS), product_id: String(product ?? ''), issuer_id: '', affiliate_id: '' }
  const funnel = useQuery(funnelQuery(asked))
  const waiting = product === null ? movers : funnel
  return (
    <Card
      title="Embudo"
      description={funnel.data && `${funnel.data.product.name}, el producto con más leads en los últimos 30 días.`}
      action={
        funnel.data && (
          <Link to={`?tablero=embudo&product_id=${product}`} className={buttonLook('secondary', 'sm')}>
            Ver embudo
          </Link>
        )
      }
    >
      {movers.data && product === null ? (
        <EmptyState
          icon={Filter}
          text="Sin leads en los últimos 30 días"
          hint="Aquí verás hasta dónde llegan, desde el día siguiente al primer clic."
        />
      ) : funnel.data ? (
        <FunnelBars funnel={funnel.data} />
      ) : waiting.isError ? (
        <ErrorState text="Error al cargar el embudo" query={waiting} />
      ) : (
        <ListSkeleton text="Cargando el embudo..." />
      )}
    </Card>
  )
}
