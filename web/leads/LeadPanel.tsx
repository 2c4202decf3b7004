import { lazy, Suspense } from 'react'
import type { Lead } from '#contract/leads.ts'
import type { Role } from '#contract/roles.ts'
import type { RowPanel } from '#web/table/use-panel.ts'
import { PanelRoom } from '#web/ui/Panel.tsx'

/** A part of its own: most visits are left without it. */
const LeadDetails = lazy(() => import('./LeadDetails.tsx'))

export const leadName = ({ id, external_id, product_name }: Lead): string =>
  [`Lead ${id}`, external_id, product_name].filter(Boolean).join(', ')

export interface PanelProps {
  panel: RowPanel
  /** The leads of the page, which show at once. */
  leads: readonly Lead[] | undefined
  viewer: Role
}

/** The lead that the address opens, if any. */
export const LeadPanel = (props: PanelProps) =>
  props.panel.id !== undefined && (
    <>
      <PanelRoom />
      <Suspense>
        <LeadDetails {...props} />
      </Suspense>
    </>
  )
