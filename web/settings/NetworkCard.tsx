import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/Card.tsx'

const { admin } = paths

const screens = [
  { to: admin.commissions, name: 'Comisiones', text: 'Lo que gana cada afiliado por cada producto.' },
  { to: admin.terms, name: 'Condiciones', text: 'Cuántos días se valida una comisión y si necesita aprobación.' },
  { to: admin.reasons, name: 'Motivos de rechazo', text: 'Con los que se rechazan leads.' },
  { to: admin.receivers, name: 'Webhooks', text: 'Avisos a los sistemas de la red.' },
  { to: admin.keys, name: 'Claves de consulta', text: 'Con las que leen los sistemas de la red.' },
  { to: admin.dashboards, name: 'Dashboards externos', text: 'Tableros de otras herramientas.' },
  { to: admin.mail, name: 'Correos', text: 'Lo que se envió y qué contestó el servidor.' },
  { to: admin.privacy, name: 'Datos personales', text: 'Solicitudes ARCO de quien hizo clic.' },
  { to: admin.audit, name: 'Bitácora', text: 'Quién hizo qué y cuándo.' },
]

/** The screens of the network that the sidebar does not list. */
export const NetworkCard = () => (
  <Card title="La red" description="Lo que vale para todos los emisores y afiliados.">
    <ul className="-mx-2 grid gap-1 sm:grid-cols-2 xl:grid-cols-4">
      {screens.map(({ to, name, text }) => (
        <li key={to} className="relative rounded-lg px-2 py-2 hover:bg-hover">
          <Link to={to} className="rounded font-medium text-brand-ink after:absolute after:inset-0 after:rounded-lg">
            {name}
          </Link>
          <p className="text-xs text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </Card>
)
