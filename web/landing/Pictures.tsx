import { cx } from '#web/ui/cx.ts'
import { Film } from './Film.tsx'
import { Section } from './Section.tsx'

interface Walk {
  file: 'month' | 'event' | 'peso'
  title: string
  text: string
  alt: string
}

const walks: Walk[] = [
  {
    file: 'month',
    title: 'Cierra el mes',
    text: 'Mira qué comisiones no están en ningún pago, elige la relación y calcula: el total sale de sus comisiones, con cada renglón a la vista.',
    alt: 'Un pago nuevo con su relación, su periodo y el monto que Afluente calculó de las comisiones devengadas.',
  },
  {
    file: 'event',
    title: 'Prueba tu integración',
    text: 'Cada emisor tiene un lead de prueba que no afecta cifras. Manda un evento y lee al momento qué respondió la API y por qué.',
    alt: 'Pantalla de integración de un emisor: el evento de prueba que se envió y la respuesta que recibió.',
  },
  {
    file: 'peso',
    title: 'Sigue un peso hasta su clic',
    text: 'Pregunta «¿De dónde sale?» junto a cualquier monto: el pago enseña sus comisiones, cada comisión su evento, y el evento el lead que lo ganó.',
    alt: 'Explicación de un pago: la suma de sus comisiones, cada una con el lead que la ganó.',
  },
]

export const Pictures = () => (
  <Section
    id="producto"
    title="El producto, tal como es"
    lead="Tres recorridos por pantallas reales, con los datos de la demostración. Sin retoques."
  >
    <div className="mt-12 grid gap-16 lg:gap-24">
      {walks.map(({ file, title, text, alt }, index) => (
        <figure
          key={file}
          className={cx(
            'grid items-center gap-6 lg:gap-12',
            index % 2 === 0 ? 'lg:grid-cols-[2fr_5fr]' : 'lg:grid-cols-[5fr_2fr]',
          )}
        >
          <figcaption className={cx(index % 2 === 1 && 'lg:order-last')}>
            <h3 className="text-xl font-semibold">{title}</h3>
            <p className="mt-2 text-base text-pretty text-muted">{text}</p>
          </figcaption>
          <Film file={file} title={title} alt={alt} />
        </figure>
      ))}
    </div>
  </Section>
)
