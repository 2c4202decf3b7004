import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { MISSING } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

// Eight characters tell one key from another and open nothing (specification section 9).
const SHOWN = 8
const MASK = '•'.repeat(16)

interface Props {
  /** What it is called on its own: 'API key'. */
  label: string
  value: string | undefined
  loading: boolean
  /** Called when it is shown and when it is masked again. */
  onShown?: (shown: boolean) => void
  /** Beside it: the button that changes it. */
  children: ReactNode
}

/** Masked until asked for; copied whole either way. */
export function SecretKey({ label, value, loading, onShown, children }: Props) {
  const [shown, setShown] = useState(false)
  const toggle = () => {
    setShown(!shown)
    onShown?.(!shown)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {value ? (
        <span className="flex min-w-0 items-center gap-1 rounded-lg bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 text-xs break-all">{shown ? value : `${value.slice(0, SHOWN)}${MASK}`}</code>
          <IconButton
            label={`${shown ? 'Ocultar' : 'Mostrar'} ${label}`}
            aria-pressed={shown}
            icon={shown ? EyeOff : Eye}
            onClick={toggle}
            className="size-7"
          />
          <CopyButton
            text={value}
            label={`Copiar ${label}`}
            copied="Información copiada al portapapeles"
            failed="Error al copiar la información"
          />
        </span>
      ) : loading ? (
        <Skeleton className="h-10 w-64 max-w-full" />
      ) : (
        <span className="text-muted">{MISSING}</span>
      )}
      {children}
    </div>
  )
}
