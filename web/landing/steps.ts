import { Banknote, CircleDollarSign, type LucideIcon, MousePointerClick, UserRoundPlus } from 'lucide-react'

interface Step {
  name: string
  icon: LucideIcon
  text: string
  /** The data stored at this step, as in the pictures' lead. */
  example: string
  money: boolean
}

/** The steps of a click, and of a peso. */
export const steps: Step[] = [
  {
    name: 'Clic',
    icon: MousePointerClick,
    text: 'Alguien toca el enlace de un afiliado. El clic queda guardado antes de abrir el sitio del emisor.',
    example: 'utm_source=cotizador',
    money: false,
  },
  {
    name: 'Lead',
    icon: UserRoundPlus,
    text: 'Nace con su propio Tracking ID, que viaja hasta el sitio del emisor y vuelve con cada aviso.',
    example: '01a0844d-dcd6-7a34…',
    money: false,
  },
  {
    name: 'Comisión',
    icon: CircleDollarSign,
    text: 'El emisor avisa qué pasó. El paso que paga genera la comisión, con el monto del clic o uno mejor.',
    example: '$1,120.00 por auto entregado',
    money: true,
  },
  {
    name: 'Pago',
    icon: Banknote,
    text: 'Las comisiones del periodo se suman solas. Administrador, emisor y afiliado ven el mismo total.',
    example: '4 comisiones: $4,480.00',
    money: true,
  },
]
