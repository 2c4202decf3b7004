import { CopyButton } from '#web/ui/CopyButton.tsx'

interface Props {
  /** What screen readers call it: 'Código de curl'. */
  label: string
  /** Stands above: the name of the file. */
  title: string
  code: string
}

/** Text to be copied whole; long lines scroll inside, since a wrapped line of code is another line. */
export const Code = ({ label, title, code }: Props) => (
  <div className="overflow-hidden rounded-lg border bg-sunken">
    <div className="flex items-center justify-between gap-3 border-b py-1 pr-1.5 pl-3">
      <span className="truncate text-xs text-muted">{title}</span>
      <CopyButton text={code} label={`Copiar ${label}`} failed="Error al copiar el código" />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section aria-label={label} tabIndex={0} className="max-h-128 overflow-auto p-3">
      <pre className="w-max font-mono text-xs">{code}</pre>
    </section>
  </div>
)
