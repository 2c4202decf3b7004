import { paths } from '#web/paths.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Shot } from './Shot.tsx'

export const Hero = () => (
  <section
    aria-labelledby="promesa-principal"
    className="mx-auto max-w-6xl px-5 pt-14 pb-8 sm:px-8 md:text-center lg:pt-16"
  >
    <h1
      id="promesa-principal"
      className="mx-auto max-w-5xl text-3xl font-semibold tracking-tight sm:text-4xl lg:text-5xl"
    >
      Gestiona gratis tu red de afiliados, <span className="lg:block">con cada peso a la vista</span>
    </h1>
    <p className="mx-auto mt-5 max-w-3xl text-lg text-balance text-muted lg:text-xl">
      Métricas, comisiones y rendimiento en tiempo real para quienes emiten tarjetas y préstamos, y para quienes les
      traen clientes. Del clic al pago, en un mismo cauce.
    </p>
    <div className="mt-7 flex flex-wrap gap-3 md:justify-center">
      <a href="#comenzar" className={`${buttonLook('primary')} h-11 px-6 text-base`}>
        Comenzar gratis
      </a>
      <a data-link="demo" href={paths.login} className={`${buttonLook('secondary')} h-11 px-6 text-base`}>
        Ver demo
      </a>
    </div>
    <p className="mt-4 text-muted">Sin mensualidad ni tarjeta. Código abierto; tus datos viven en tu servidor.</p>
    <div className="mt-10 flex justify-center">
      <Shot
        file="dashboard"
        alt="Dashboard de un emisor con los datos de la demostración: leads, conversiones, tasa y comisión de treinta días, y la gráfica de cada día frente al periodo anterior."
      />
    </div>
  </section>
)
