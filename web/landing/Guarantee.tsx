const reasons = [
  {
    title: 'Primero se guarda, luego se redirige',
    text: 'El clic queda guardado antes de abrir el sitio del emisor. Confirmado quiere decir guardado.',
  },
  {
    title: 'Un aviso repetido no paga doble',
    text: 'El mismo evento dos veces, diez veces o al mismo tiempo: una sola comisión. La base de datos lo impide.',
  },
  {
    title: 'Nada reescribe el pasado',
    text: 'Cada lead gana el mejor de dos montos: el de su clic y el de su evento. Cambiar la tarifa cambia el mañana, no el ayer.',
  },
  {
    title: 'Lo registrado no se borra',
    text: 'Ni la propia aplicación tiene permiso de eliminar leads, eventos, comisiones ganadas o bitácora.',
  },
]

export const Guarantee = () => (
  <section
    id="promesa"
    aria-labelledby="promesa-title"
    className="bg-brand-strong text-on-brand dark:bg-brand-soft dark:text-ink"
  >
    <div className="mx-auto max-w-6xl px-5 py-16 sm:px-8 lg:py-24">
      <h2 id="promesa-title" className="max-w-3xl text-2xl font-semibold md:text-3xl">
        Ningún clic, evento o peso confirmado se pierde. Cada peso regresa a su clic.
      </h2>
      <p className="mt-3 max-w-2xl text-lg text-pretty">
        No es un lema: es como está construido. Y el código está abierto para quien quiera comprobarlo.
      </p>
      <ul className="mt-10 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4 lg:gap-x-8">
        {reasons.map(({ title, text }) => (
          <li key={title} className="border-t border-current/30 pt-4">
            <h3 className="text-base font-semibold">{title}</h3>
            <p className="mt-1.5 text-base text-pretty">{text}</p>
          </li>
        ))}
      </ul>
    </div>
  </section>
)
