import { formatPhone, MISSING } from './format.ts'

export const LINK =
  'rounded text-brand-ink underline decoration-line-strong underline-offset-2 hover:decoration-current'
const Missing = () => <span className="text-muted">{MISSING}</span>

export const MailLink = ({ address }: { address: string }) =>
  address ? (
    <a href={`mailto:${address}`} className={`${LINK} wrap-anywhere`}>
      {address}
    </a>
  ) : (
    <Missing />
  )

export const PhoneLink = ({ phone }: { phone: string }) =>
  phone ? (
    <a href={`tel:${phone}`} className={`${LINK} whitespace-nowrap tabular-nums`}>
      {formatPhone(phone)}
    </a>
  ) : (
    <Missing />
  )

/** An external page, in a new tab without opener or referrer. */
export const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener" className={`${LINK} break-all`}>
      {url}
    </a>
  ) : (
    url || <Missing />
  )
