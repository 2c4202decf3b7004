import { ChartLine, Landmark, type LucideIcon, Route } from 'lucide-react'
import { Section } from './Section.tsx'

const points: { title: string; icon: LucideIcon; text: string }[] = [
  {
    title: 'Centralización y gobernanza',
    icon: Landmark,
    text: 'Una sola fuente para emisores, afiliados, productos y comisiones, con permisos por rol y registro de cada cambio.',
  },
  {
    title: 'Trazabilidad inicial',
    icon: Route,
    text: 'Cada clic recibe un identificador desde el primer momento y lo conserva hasta el pago: nada queda sin origen.',
  },
  {
    title: 'Visibilidad ejecutiva',
    icon: ChartLine,
    text: 'Métricas y rendimiento en tiempo real para decidir con cifras que se pueden abrir hasta su último lead.',
  },
]

export const Vision = () => (
  <Section
    id="vision"
    title="Visión del producto"
    lead="Que promover y emitir productos financieros en México sea tan claro como leer un estado de cuenta."
  >
    <ul className="mt-10 grid gap-10 md:grid-cols-3 md:gap-8">
      {points.map(({ title, icon: Icon, text }) => (
        <li key={title}>
          <Icon aria-hidden className="size-7 text-brand" strokeWidth={1.75} />
          <h3 className="mt-4 text-lg font-semibold">{title}</h3>
          <p className="mt-1.5 text-base text-pretty text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </Section>
)
