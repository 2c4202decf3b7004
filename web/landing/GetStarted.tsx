import { paths } from '#web/paths.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Section } from './Section.tsx'

const commands = [
  {
    command: 'npm start',
    text: 'Instala lo que falta, levanta su propia base de datos, la llena con una red de demostración de noventa días y abre todo en http://127.0.0.1:3000, con tres cuentas para entrar.',
  },
  {
    command: 'npm test',
    text: 'Comprueba el producto entero en tu máquina: cada regla contra una base de datos de verdad y cada pantalla en un navegador de verdad.',
  },
]

/** Where 'Comenzar gratis' leads: there is nothing to sign up for. */
export const GetStarted = () => (
  <Section
    id="comenzar"
    title="Dos comandos y ya está corriendo"
    lead="Necesitas Node 20.19 o posterior y una copia del código. Nada más: ni cuenta, ni tarjeta, ni base de datos aparte."
  >
    <ol className="mt-10 grid gap-5 lg:grid-cols-2">
      {commands.map(({ command, text }) => (
        <li key={command} className="rounded-xl border bg-surface p-6 shadow-card">
          <code className="block rounded-lg bg-sunken px-4 py-3 font-mono text-base font-medium text-ink">
            <span aria-hidden className="text-muted select-none">
              ${' '}
            </span>
            {command}
          </code>
          <p className="mt-4 text-base text-pretty text-muted">{text}</p>
        </li>
      ))}
    </ol>
    <p className="mt-8 text-base text-pretty text-muted">
      Para tu propia red, <code className="font-mono text-ink">DEMO=0 npm start</code> empieza vacía, y los primeros
      pasos te llevan del primer emisor al primer evento. La guía de operación explica contenedores, respaldos y varias
      máquinas.
    </p>
    <div className="mt-6 flex flex-wrap gap-3">
      <a href={paths.login} className={`${buttonLook('primary')} h-11 px-6 text-base`}>
        Ya tengo cuenta
      </a>
      <a href="/api/docs/" className={`${buttonLook('secondary')} h-11 px-6 text-base`}>
        Conocer la API
      </a>
    </div>
  </Section>
)
