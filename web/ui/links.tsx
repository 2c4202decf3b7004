import { formatPhone, MISSING } from './format.ts'

const LOOK = 'rounded text-brand-ink underline decoration-line-strong underline-offset-2 hover:decoration-current'
const Missing = () => <span className="text-muted">{MISSING}</span>

export const MailLink = ({ address }: { address: string }) =>
  address ? (
    <a href={`mailto:${address}`} className={`${LOOK} wrap-anywhere`}>
      {address}
    </a>
  ) : (
    <Missing />
  )

export const PhoneLink = ({ phone }: { phone: string }) =>
  phone ? (
    <a href={`tel:${phone}`} className={`${LOOK} whitespace-nowrap tabular-nums`}>
      {formatPhone(phone)}
    </a>
  ) : (
    <Missing />
  )

/** An external page, in a new tab without opener or referrer. */
export const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener" className={`${LOOK} break-all`}>
      {url}
    </a>
  ) : (
    url || <Missing />
  )
