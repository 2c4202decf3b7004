/** Breaks before the @ where it must break at all. */
export function Email({ value }: { value: string }) {
  const [name, ...host] = value.split('@')
  return (
    <span
      translate="no"
      className="line-clamp-2 min-w-32 [word-break:normal] wrap-anywhere narrow:line-clamp-none narrow:min-w-0"
    >
      {name}
      <wbr />
      {host.length > 0 && `@${host.join('@')}`}
    </span>
  )
}
