import { cx } from './cx.ts'

const LOOKS = [
  'bg-brand-soft text-brand-ink',
  'bg-info-soft text-info-ink',
  'bg-success-soft text-success-ink',
  'bg-sunken text-muted',
]

/** The same for a name wherever it stands. */
function lookOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return LOOKS[sum % LOOKS.length] ?? ''
}

/**
 * A company's name behind a quiet disc with its first letter, which nobody reads aloud or copies. On a phone it is text
 * alone: a box would leave a line that is cut as a whole.
 */
export const Company = ({ name, className }: { name: string; className?: string }) => (
  <span
    title={name}
    translate="no"
    className={cx('inline-flex max-w-full min-w-0 items-center gap-2 max-sm:inline narrow:justify-end', className)}
  >
    <span
      aria-hidden
      data-letter={[...name.trim()][0]?.toLocaleUpperCase('es-MX')}
      className={cx(
        'grid size-6 shrink-0 place-items-center rounded-full text-xs font-medium before:content-[attr(data-letter)] max-sm:hidden narrow:hidden @max-[56rem]:hidden',
        lookOf(name),
      )}
    />
    <span className="line-clamp-1 break-all middling:line-clamp-3 middling:[word-break:normal] narrow:line-clamp-none narrow:[word-break:normal] narrow:wrap-anywhere max-sm:inline!">
      {name}
    </span>
  </span>
)
