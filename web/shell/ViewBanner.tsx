import { Eye } from 'lucide-react'
import { nameOf, useAuth } from '#web/auth/auth-context.tsx'
import { Button } from '#web/ui/Button.tsx'

/** Over every screen while an administrator sees the product as somebody else; at the bottom, where nothing else stays. */
export default function ViewBanner() {
  const { user, logout } = useAuth()
  return (
    <section
      aria-label="Vista como otra persona"
      className="sticky bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-t bg-brand-soft px-4 py-2 text-brand-ink print:hidden"
    >
      <p className="flex min-w-0 items-center gap-2 wrap-anywhere">
        <Eye aria-hidden className="size-4 shrink-0" />
        Ves Afluente como {nameOf(user)}. Solo consulta.
      </p>
      <Button size="sm" onClick={logout}>
        Salir
      </Button>
    </section>
  )
}
