import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { toast } from 'sonner'
import { IconButton } from './IconButton.tsx'

interface Props {
  text: string
  label: string
  copied: string
  failed: string
}

export function CopyButton({ text, label, copied, failed }: Props) {
  const [done, setDone] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(copied)
      setDone(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setDone(false), 2000)
    } catch {
      toast.error(failed)
    }
  }
  return <IconButton label={label} icon={done ? Check : Copy} onClick={copy} className="size-7" />
}

/** A value with its copy button: ids, addresses, keys. */
export function Copyable({ shown, ...copy }: Props & { shown?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="truncate" title={copy.text}>
        {shown ?? copy.text}
      </span>
      <CopyButton {...copy} />
    </span>
  )
}
