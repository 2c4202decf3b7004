import { formatMoney, formatNumber } from '#web/ui/format.ts'

/** ', de ellas 1 retenida ($500.00)', or nothing. */
export const heldText = ({ held, held_amount }: { held: number; held_amount: string }): string =>
  held > 0
    ? `, de ellas ${formatNumber(held)} ${held === 1 ? 'retenida' : 'retenidas'} (${formatMoney(held_amount)})`
    : ''
