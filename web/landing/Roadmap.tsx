import { Section } from './Section.tsx'

const phases = [
  {
    title: 'Inicio controlado',
    text: 'Pocos emisores y afiliados, reglas claras y cada peso conciliado desde el primer día.',
  },
  {
    title: 'Plataforma semiautomatizada',
    text: 'Los emisores avisan por API y las comisiones se calculan solas; una persona revisa y aprueba los pagos.',
  },
  {
    title: 'Automatización completa',
    text: 'Del alta del afiliado a la dispersión del pago, sin pasos manuales y con cada excepción a la vista.',
  },
  {
    title: 'Sofisticación avanzada con IA',
    text: 'Detección de fraude, predicción de conversión y sugerencias de comisión que aprenden de la red.',
  },
]

export const Roadmap = () => (
  <Section
    id="hoja-de-ruta"
    title="Hoja de ruta en cuatro fases"
    lead="El cauce se ensancha paso a paso: primero que sea confiable, después que sea automático, al final que sea inteligente."
    className="pt-0 lg:pt-0"
  >
    <ol className="mt-10 grid gap-8 sm:grid-cols-2 lg:grid-cols-4 lg:gap-0">
      {phases.map(({ title, text }, index) => (
        <li key={title}>
          <Reach index={index} />
          <div className="lg:pr-6">
            <p className="mt-4 font-medium text-brand-ink">Fase {index + 1}</p>
            <h3 className="mt-0.5 text-lg font-semibold">{title}</h3>
            <p className="mt-1.5 text-base text-pretty text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  </Section>
)

/** A stretch of the river, starting as wide as the one before ends. */
function Reach({ index }: { index: number }) {
  const [from, to] = [3 + index * 6, 9 + index * 6]
  const [middle, height] = [15, 30]
  return (
    <svg aria-hidden viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" className="h-8 w-full fill-brand">
      <path
        d={`M0 ${middle - from / 2}C40 ${middle - from / 2} 60 ${middle - to / 2} 100 ${middle - to / 2}V${middle + to / 2}C60 ${middle + to / 2} 40 ${middle + from / 2} 0 ${middle + from / 2}Z`}
        opacity={0.4 + index * 0.2}
      />
    </svg>
  )
}
