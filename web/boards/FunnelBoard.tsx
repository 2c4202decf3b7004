import { useQuery } from '@tanstack/react-query'
import { Boxes, ListOrdered } from 'lucide-react'
import type { Funnel } from '#contract/boards.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { counted } from '#web/ui/format.ts'
import { Board, useBoardFilters } from './Board.tsx'
import { Cohorts } from './Cohorts.tsx'
import { FunnelSteps } from './FunnelSteps.tsx'
import { hasNoLeads, NoData } from './NoData.tsx'
import { type Asked, funnelQuery } from './queries.ts'
import { Unready } from './Section.tsx'

export default function FunnelBoard() {
  const chosen = useBoardFilters()
  const products = useQuery(productOptionsQuery())
  // Until one is chosen the first product, of the issuer that another board was about.
  const first = products.data?.find(({ issuer }) => String(issuer) === chosen.issuer_id) ?? products.data?.[0]
  // A product has one issuer; a filter that is not shown would only hide products.
  const asked = { ...chosen, product_id: chosen.product_id || String(first?.value ?? ''), issuer_id: '' }
  const funnel = useQuery(funnelQuery(asked))
  const waiting = asked.product_id === '' ? products : funnel
  return (
    <Board asked={asked} ofProduct busy={funnel.isPlaceholderData}>
      {products.data?.length === 0 && asked.product_id === '' ? (
        <Card>
          <EmptyState icon={Boxes} text="Aún no hay productos" hint="Cuando haya uno, aquí verás su embudo." />
        </Card>
      ) : funnel.data && !funnel.isError ? (
        <Shown funnel={funnel.data} asked={asked} />
      ) : (
        <Unready query={waiting} />
      )}
    </Board>
  )
}

const Shown = ({ funnel, asked }: { funnel: Funnel; asked: Asked }) => (
  <>
    <p className="text-muted">
      <span className="font-medium text-ink">{funnel.product.name}</span>, de {funnel.product.issuer_name}:{' '}
      {counted(funnel.leads, 'lead', 'leads')} con clic en el periodo.
    </p>
    {funnel.steps.length === 0 ? (
      <Card>
        <EmptyState
          icon={ListOrdered}
          text="El producto no tiene pasos"
          hint="Cuando los tenga, aquí verás cuántos leads llegan a cada uno."
        />
      </Card>
    ) : hasNoLeads(funnel) ? (
      <NoData of="funnel" />
    ) : (
      <>
        <FunnelSteps funnel={funnel} asked={asked} />
        <Cohorts funnel={funnel} asked={asked} />
      </>
    )}
  </>
)
