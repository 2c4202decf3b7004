import { lazy, Suspense } from 'react'
import type { Payment } from '#contract/payments.ts'
import type { Nouns } from '#web/table/nouns.ts'
import type { RowPanel } from '#web/table/use-panel.ts'
import { formatMoney } from '#web/ui/format.ts'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { PanelRoom } from '#web/ui/Panel.tsx'

/** A part of its own: most visits are left without it. */
const PaymentDetails = lazy(() => import('./PaymentDetails.tsx'))

export const paymentNouns: Nouns = { one: 'pago', many: 'pagos', the: 'los' }

export const paymentName = ({ id, affiliate_name, total_amount }: Payment): string =>
  `Pago ${id}, ${affiliate_name}, ${formatMoney(total_amount)}`

export interface PanelProps {
  panel: RowPanel
  list: { data: readonly Payment[] | undefined }
  /** The viewer's side, whose name is left out; the administrator's none. */
  own?: 'issuer' | 'affiliate'
  menu?: (payment: Payment) => MenuItem[]
}

/** The payment that the address opens, if any. */
export const PaymentPanel = (props: PanelProps) =>
  props.panel.id !== undefined && (
    <>
      <PanelRoom />
      <Suspense>
        <PaymentDetails {...props} />
      </Suspense>
    </>
  )
