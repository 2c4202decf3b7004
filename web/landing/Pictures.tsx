import { cx } from '#web/ui/cx.ts'
import { Section } from './Section.tsx'

interface Picture {
  file: 'leads' | 'payments' | 'products'
  title: string
  text: string
  alt: string
}

const pictures: Picture[] = [
  {
    file: 'leads',
    title: 'La historia completa de cada lead',
    text: 'De dónde llegó, qué enlace tocó y qué le fue pasando, evento por evento, con lo que envió el emisor. Búscalo por su Tracking ID o por tu External ID y ahí está.',
    alt: 'Detalle de un lead de crédito de auto: a la izquierda sus datos, al centro su timeline con seis eventos, del clic al auto entregado, y a la derecha las propiedades del evento elegido.',
  },
  {
    file: 'payments',
    title: 'Pagos que se explican solos',
    text: 'Cada pago enseña las comisiones que lo forman, y cada comisión el lead que la ganó. Nadie discute un total: se abre y se lee.',
    alt: 'Detalle de un pago de septiembre a un afiliado, con su periodo, estado, monto total y la tabla de comisiones que lo respaldan, cada una con su lead.',
  },
  {
    file: 'products',
    title: 'El enlace de cada producto, listo para copiar',
    text: 'El afiliado elige qué promover, agrega su propia referencia y sus UTM, y comparte. Lo que llega por ahí es suyo, con fecha y hora.',
    alt: 'Pantalla de productos de un afiliado: cuatro productos de un banco, cada uno con su URL de tracking y un botón para copiarla.',
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
          <div className="justify-self-center overflow-hidden rounded-xl border border-line-strong bg-surface shadow-popup">
            <Screen picture={picture} theme="light" className="dark:hidden" />
            <Screen picture={picture} theme="dark" className="hidden dark:block" />
          </div>
        </figure>
      ))}
    </div>
  </Section>
)

interface ScreenProps {
  picture: Picture
  theme: 'light' | 'dark'
  className: string
}

/** The hidden one is not loaded: it is lazy and has no box. */
const Screen = ({ picture: { file, alt }, theme, className }: ScreenProps) => (
  <picture>
    <source
      media="(width < 40rem)"
      srcSet={`/web/landing/pictures/${file}-${theme}-phone.webp`}
      width="780"
      height="1440"
    />
    <img
      src={`/web/landing/pictures/${file}-${theme}.webp`}
      alt={alt}
      width="1600"
      height="1000"
      loading="lazy"
      decoding="async"
      className={cx('h-auto w-full max-sm:max-w-80', className)}
    />
  </picture>
)
