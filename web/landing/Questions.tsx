import { Section } from './Section.tsx'

const questions = [
  {
    question: '¿De verdad es gratis?',
    answer:
      'Sí. El código es abierto bajo la licencia MIT y corre en tu servidor. No hay mensualidad, comisión por pago ni límite de leads.',
  },
  {
    question: '¿Dónde quedan mis datos?',
    answer:
      'En tu base de datos. Afluente no envía nada a terceros: ni medición, ni tipografías, ni guiones de otros sitios.',
  },
  {
    question: '¿Afluente paga a los afiliados?',
    answer:
      'No mueve dinero. Calcula lo que se debe, guarda cada pago con las comisiones que lo forman y deja constancia de quién lo marcó como pagado. La transferencia la haces tú.',
  },
  {
    question: '¿Qué tiene que hacer un emisor para integrarse?',
    answer:
      'Recibir el tracking_id en su URL y avisar cada paso con una llamada HTTP. Su pantalla de integración trae ejemplos con sus propios pasos y un lead de prueba que no afecta cifras.',
  },
  {
    question: '¿Y si el mismo aviso llega dos veces?',
    answer: 'Se responde como recibido y no genera otra comisión. La base de datos lo impide, también al mismo tiempo.',
  },
  {
    question: '¿Qué pasa si se cae la base de datos?',
    answer:
      'Los clics se guardan en disco y se llevan a la base cuando vuelve. La persona llega al sitio del emisor y el lead no se pierde.',
  },
]

export const Questions = () => (
  <Section
    id="preguntas"
    title="Preguntas y respuestas"
    lead="Lo que suelen preguntar antes de instalarlo."
    className="pt-0 lg:pt-0"
  >
    <div className="mt-8 border-b">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group border-t">
          <summary className="flex list-none items-center justify-between gap-4 py-4 text-base font-medium">
            {question}
            <span aria-hidden className="text-lg text-muted transition-transform group-open:rotate-45">
              +
            </span>
          </summary>
          <p className="max-w-3xl pb-5 text-base text-pretty text-muted">{answer}</p>
        </details>
      ))}
    </div>
  </Section>
)
