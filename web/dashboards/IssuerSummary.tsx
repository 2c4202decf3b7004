import { paths } from '#web/paths.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Attention } from './Attention.tsx'
import { Hero } from './Hero.tsx'
import { MoversCard } from './MoversCard.tsx'

export const IssuerSummary = () => (
  <div className="grid gap-6">
    <Hero payments={paths.issuer.payments} />
    <div className="grid gap-6 xl:grid-cols-2">
      <Attention of="issuer" />
      <MoversCard
        title="Lo que más cambió"
        description="Afiliados, por sus leads de los últimos 30 días frente a los 30 anteriores."
        hint="Aquí aparecerá quien más leads gane o pierda, desde el día siguiente al primer clic."
        action={
          <a href="#tablero" className={buttonLook('secondary', 'sm')}>
            Ver todos
          </a>
        }
      />
    </div>
  </div>
)
