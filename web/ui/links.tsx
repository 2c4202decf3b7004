import { formatPhone, MISSING } from './format.ts'

export const LINK =
  'rounded text-brand-ink underline decoration-line-strong underline-offset-2 hover:decoration-current'
/** A finger's height for a link on a line of its own. */
export const FINGER_LINK = `${LINK} max-sm:py-3.5`
const Missing = () => <span className="text-muted">{MISSING}</span>

export const MailLink = ({ address }: { address: string }) =>
  address ? (
    <a translate="no" href={`mailto:${address}`} className={`${FINGER_LINK} wrap-anywhere`}>
      {address}
    </a>
  ) : (
    <Missing />
  )

export const PhoneLink = ({ phone }: { phone: string }) =>
  phone ? (
    <a translate="no" href={`tel:${phone}`} className={`${FINGER_LINK} whitespace-nowrap tabular-nums`}>
      {formatPhone(phone)}
    </a>
  ) : (
    <Missing />
  )

/** An external page, in a new tab without opener or referrer. */
export const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a translate="no" href={url} target="_blank" rel="noreferrer noopener" className={`${FINGER_LINK} break-all`}>
      {url}
    </a>
  ) : (
    url || <Missing />
  )
