import { Section } from './Section.tsx'

const facts = [
  {
    title: 'RFC revisado letra por letra',
    text: 'De 12 o 13 posiciones, con Ñ y &, su fecha y su dígito verificador. Si algo no cuadra te avisa, sin impedirte guardar.',
  },
  {
    title: 'Pesos exactos, al centavo',
    text: 'Montos en MXN que nunca pasan por redondeos. Los días, meses y periodos se cuentan en la hora del centro de México.',
  },
  {
    title: 'Estados de pago para tu contador',
    text: 'En papel carta, con el RFC de las partes, cada comisión y el total antes de IVA y retenciones. Y en Excel, con fechas y números de verdad.',
  },
  {
    title: 'SPEI y CFDI, anotados en su pago',
    text: 'La clave de rastreo y el folio fiscal se guardan con el pago, y las tres partes los leen. Afluente no timbra ni mueve dinero.',
  },
  {
    title: 'Datos personales con ley de 2025',
    text: 'Aviso de privacidad, derechos ARCO con plazos, conservación configurable y números de tarjeta o CURP que se ocultan antes de guardarse.',
  },
  {
    title: 'Español de México en cada pantalla',
    text: 'También en los errores de la API y en la guía de operación. Teléfonos con +52 y fechas día, mes, año.',
  },
]

export const Mexico = () => (
  <Section
    id="mexico"
    title="Hecho para México"
    lead="No es un producto traducido: las reglas de aquí están en la base de datos, no en una hoja aparte."
  >
    <ul className="mt-10 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(({ title, text }) => (
        <li key={title} className="border-t pt-4">
          <h3 className="text-lg font-semibold">{title}</h3>
          <p className="mt-1.5 text-base text-pretty text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </Section>
)
