import type { LeadEvent } from '#contract/leads.ts'
import { wordName } from '#contract/words.ts'

type Loose = NonNullable<LeadEvent['event_data']>

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** The values that fit on a line; what lies deeper is read behind 'Ver datos'. */
const linesOf = (data: Record<string, unknown>): [name: string, text: string][] =>
  Object.entries(data).flatMap(([field, value]): [string, string][] => {
    const name = wordName('field', field)
    if (field === 'params' && typeof value === 'object' && value) return linesOf(value as Record<string, unknown>)
    if (Array.isArray(value) && value.length && value.every(isScalar))
      return [[name, value.map((word) => wordName('flag', String(word))).join(', ')]]
    if (typeof value === 'boolean') return [[name, value ? 'Sí' : 'No']]
    return isScalar(value) ? [[name, String(value)]] : []
  })

/** Hostile text stays text; an object reads as lines, and as indented JSON for whoever asks. */
export function LooseData({ value }: { value: Loose }) {
  if (typeof value === 'string') return <Raw text={value} />
  const lines = linesOf(value)
  return (
    <>
      {lines.length > 0 && (
        <ul className="mb-2 grid gap-1">
          {lines.map(([name, text]) => (
            <li key={name} className="wrap-anywhere">
              <span className="text-muted">{name}:</span> {text}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary className="w-fit rounded text-xs text-brand-ink">Ver datos</summary>
        <Raw text={JSON.stringify(value, null, 2)} />
      </details>
    </>
  )
}

const Raw = ({ text }: { text: string }) => (
  <pre className="mt-1 max-h-64 overflow-auto rounded-lg bg-sunken p-3 text-xs break-words whitespace-pre-wrap">
    {text}
  </pre>
)
