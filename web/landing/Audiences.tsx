import { Building2, Check, type LucideIcon, Megaphone, ShieldCheck } from 'lucide-react'
import { Section } from './Section.tsx'

const audiences: { name: string; icon: LucideIcon; promise: string; points: string[] }[] = [
  {
    name: 'Emisores',
    icon: Building2,
    promise: 'Paga por clientes, no por promesas.',
    points: [
      'Comisión por producto y por afiliado, en pesos, cuando tú decides que se ganó.',
      'Tu sistema avisa cada paso con una llamada a la API; si la repite, no se paga dos veces.',
      'Ve qué afiliados traen solicitudes y cuáles traen clientes aprobados.',
    ],
  },
  {
    name: 'Afiliados',
    icon: Megaphone,
    promise: 'Cobra por todo lo que trajiste.',
    points: [
      'Un enlace por producto, con tu external_id y tus UTM de regreso en cada lead.',
      'Sabes qué paso paga y qué paso solo informa, antes de promover.',
      'Cada pago abre sus comisiones, y cada comisión el lead que la ganó.',
    ],
  },
  {
    name: 'Administradores',
    icon: ShieldCheck,
    promise: 'Una red en orden, sin hojas de cálculo.',
    points: [
      'Emisores, afiliados, usuarios, relaciones y productos en un solo lugar.',
      'El pago del periodo se calcula de las comisiones; tú lo revisas y lo emites.',
      'Cada cambio queda en la bitácora: quién, cuándo y qué.',
    ],
  },
]

export const Audiences = () => (
  <Section
    id="para-quien"
    title="Para los tres lados de la mesa"
    lead="Cada quien entra a su propio panel y ve lo suyo. Los números son los mismos para todos."
  >
    <ul className="mt-10 grid gap-5 lg:grid-cols-3">
      {audiences.map(({ name, icon: Icon, promise, points }) => (
        <li key={name} className="rounded-xl border bg-surface p-6 shadow-card">
          <span className="flex size-10 items-center justify-center rounded-lg bg-brand-soft text-brand-ink">
            <Icon aria-hidden className="size-5" />
          </span>
          <h3 className="mt-4 text-lg font-semibold">{name}</h3>
          <p className="mt-1 text-base font-medium text-brand-ink">{promise}</p>
          <ul className="mt-4 grid gap-3 text-base text-muted">
            {points.map((point) => (
              <li key={point} className="flex gap-2.5 text-pretty">
                <Check aria-hidden className="mt-1 size-4 shrink-0 text-brand" />
                {point}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </Section>
)
