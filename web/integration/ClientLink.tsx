import { Download } from 'lucide-react'
import { type ClientFile, clientFiles, clientPath } from '#contract/clients.ts'
import { buttonLook } from '#web/ui/button-look.ts'

/** Downloads a file for a program of one's own. */
export const ClientLink = ({ file }: { file: ClientFile }) => (
  <a href={clientPath(file)} download className={buttonLook()}>
    <Download aria-hidden className="size-4" />
    {clientFiles[file]}
  </a>
)
