import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { toast } from './toast.ts'

interface Props {
  text: string
  label: string
  /** The specified notice; without one only the button says it. */
  copied?: string
  failed: string
}

export function CopyButton({ text, label, copied, failed }: Props) {
  const [done, setDone] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      if (copied) toast.success(copied)
      setDone(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setDone(false), 2000)
    } catch {
      toast.error(failed)
    }
  }
  return (
    <span className="relative inline-flex shrink-0 max-sm:-my-2.5">
      <IconButton label={label} icon={done ? Check : Copy} onClick={copy} className="size-7" />
      {/* Where a notice says it, it would only take the room of what was copied. */}
      {copied === undefined && (
        <span role="status" className="self-center text-xs whitespace-nowrap text-success-ink">
          {done && 'Copiado'}
        </span>
      )}
    </span>
  )
}

/** A value with its copy button: ids, addresses, keys. */
export function Copyable({ shown, ...copy }: Props & { shown?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span translate="no" className="truncate" title={copy.text}>
        {shown ?? copy.text}
      </span>
      <CopyButton {...copy} />
    </span>
  )
}
