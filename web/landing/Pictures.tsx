import { cx } from '#web/ui/cx.ts'
import { Section } from './Section.tsx'
import { Shot } from './Shot.tsx'

interface Picture {
  file: 'leads' | 'payments' | 'products'
  title: string
  text: string
  alt: string
}

const pictures: Picture[] = [
  {
    file: 'leads',
    title: 'Cada lead con su estado y su monto',
    text: 'Quién lo trajo, en qué va y cuánto vale. Búscalo por su Tracking ID o por tu External ID; ábrelo y lee su historia, evento por evento.',
    alt: 'Lista de leads de un afiliado: identificadores, emisor, producto y fecha de cada uno, con su estado y lo que ganó.',
  },
  {
    file: 'payments',
    title: 'Pagos que se explican solos',
    text: 'Cada pago enseña las comisiones que lo forman, y cada comisión el lead que la ganó. Nadie discute un total: se abre y se lee.',
    alt: 'Detalle de un pago a un afiliado, con su periodo, estado, monto total y la tabla de comisiones que lo respaldan, cada una con su lead.',
  },
  {
    file: 'products',
    title: 'El enlace de cada producto, listo para copiar',
    text: 'El afiliado elige qué promover, agrega su propia referencia y sus UTM, y comparte. Lo que llega por ahí es suyo, con fecha y hora.',
    alt: 'Pantalla de productos de un afiliado: los de un emisor, cada uno con su URL de tracking y un botón para copiarla.',
  },
]

export const Pictures = () => (
  <Section
    id="producto"
    title="El producto, tal como es"
    lead="Pantallas reales con los datos de la demostración. Sin retoques."
  >
    <div className="mt-12 grid gap-16 lg:gap-24">
      {pictures.map((picture, index) => (
        <figure
          key={picture.file}
          className={cx(
            'grid items-center gap-6 lg:gap-12',
            index % 2 === 0 ? 'lg:grid-cols-[2fr_5fr]' : 'lg:grid-cols-[5fr_2fr]',
          )}
        >
          <figcaption className={cx(index % 2 === 1 && 'lg:order-last')}>
            <h3 className="text-xl font-semibold">{picture.title}</h3>
            <p className="mt-2 text-base text-pretty text-muted">{picture.text}</p>
          </figcaption>
          <Shot file={picture.file} alt={picture.alt} />
        </figure>
      ))}
    </div>
  </Section>
)
