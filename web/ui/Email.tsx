/** Breaks before the @ where it must break at all. */
export function Email({ value }: { value: string }) {
  const [name, ...host] = value.split('@')
  return (
    <span className="line-clamp-1 min-w-32 break-all middling:line-clamp-2 middling:[word-break:normal] middling:wrap-anywhere narrow:line-clamp-none narrow:min-w-0 narrow:[word-break:normal] narrow:wrap-anywhere">
      {name}
      <wbr />
      {host.length > 0 && `@${host.join('@')}`}
    </span>
  )
}
