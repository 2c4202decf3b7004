import { ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { Rights } from '#contract/auth.ts'
import type { Role } from '#contract/roles.ts'
import { paths, places } from '#web/paths.ts'
import { LongDay } from '#web/ui/dates.tsx'

/** For who has no second factor and is asked for one. */
export default function FactorBanner({ role, rights }: { role: Role; rights: Rights }) {
  return (
    <section aria-label="Verificación en dos pasos" className="border-b bg-info-soft text-info-ink print:hidden">
      <p className="mx-auto flex max-w-7xl items-center gap-2 px-4 py-2 sm:px-6 lg:px-8">
        <ShieldAlert aria-hidden className="size-4 shrink-0" />
        <span>
          {rights.factor === 'asked' ? (
            'Protege tu cuenta con la verificación en dos pasos.'
          ) : (
            <>
              Tu perfil exige verificación en dos pasos desde el <LongDay value={rights.factor_due} />.
            </>
          )}{' '}
          <Link to={`${paths[role].settings}#${places.factors}`} className="font-medium underline underline-offset-2">
            Activarla
          </Link>
        </span>
      </p>
    </section>
  )
}
