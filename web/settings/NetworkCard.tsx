import { Link } from 'react-router'
import { ofNetwork } from '#web/shell/navigation.ts'
import { Card } from '#web/ui/Card.tsx'

/** The screens of the network that the sidebar does not list. */
export const NetworkCard = () => (
  <Card title="La red" description="Lo que vale para todos los emisores y afiliados.">
    <ul className="-mx-2 grid gap-1 sm:grid-cols-2 xl:grid-cols-4">
      {ofNetwork.map(({ path, label, text }) => (
        <li key={path} className="relative rounded-lg px-2 py-2 hover:bg-hover">
          <Link to={path} className="rounded font-medium text-brand-ink after:absolute after:inset-0 after:rounded-lg">
            {label}
          </Link>
          <p className="text-xs text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </Card>
)
