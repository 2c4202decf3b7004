import { KeyRound, RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import { type KeyKind, keyLabels } from '#contract/companies.ts'
import { issuers } from '#contract/issuers.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { keyWords, type Owner, useChangeKey } from './access.ts'

interface Props {
  owner: Owner
  kind: KeyKind
  /** There is none yet, so this makes the first. */
  first?: boolean
  loading: boolean
}

/** The button that changes a key, and its question: whether the one before may live for another day. */
export function ChangeKey({ owner, kind, first = false, loading }: Props) {
  const [asking, setAsking] = useState(false)
  const refuse = useRefusal()
  return (
    <>
      <Button
        size="sm"
        icon={first ? KeyRound : RefreshCw}
        disabledReason={refuse(issuers.rotateKey) ?? (loading ? 'Aún se está cargando' : undefined)}
        onClick={() => setAsking(true)}
        aria-label={`${first ? 'Crear' : 'Cambiar'} ${labelOf(kind)}`}
      >
        {first ? 'Crear' : 'Cambiar'}
      </Button>
      {asking && <Question owner={owner} kind={kind} first={first} onClose={() => setAsking(false)} />}
    </>
  )
}

/** 'API key', 'token de postback': in the middle of a sentence. */
const labelOf = (kind: KeyKind): string =>
  kind === 'api' ? keyLabels.api : keyLabels[kind].replace(/^./, (letter) => letter.toLowerCase())

function Question({ owner, kind, first = false, onClose }: Omit<Props, 'loading'> & { onClose: () => void }) {
  const change = useChangeKey(owner, kind)
  const [atOnce, setAtOnce] = useState(false)
  const id = useId()
  const { name, old } = keyWords[kind]
  const words = wordsOf(kind, first)
  const verb = first ? 'Crear' : 'Cambiar'
  return (
    <ConfirmDialog
      title={`${verb} ${name}`}
      confirm={atOnce ? `${verb} y revocar` : verb}
      danger={atOnce}
      busy={change.isPending}
      busyText={first ? 'Creando...' : 'Cambiando...'}
      onConfirm={() => change.mutate({ revoke_old: atOnce }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{words ? (atOnce ? words.now : words.tomorrow) : FIRST_KEY}</p>
      {words && (
        <div className="mt-4 flex gap-2.5 text-ink">
          <input
            id={id}
            type="checkbox"
            checked={atOnce}
            onChange={(event) => setAtOnce(event.target.checked)}
            aria-describedby={`${id}-why`}
            className="mt-0.5 size-4 shrink-0 accent-brand"
          />
          <div>
            <label htmlFor={id} className="font-medium">
              {words.option(old)}
            </label>
            <p id={`${id}-why`} className="text-xs text-muted">
              Úsalo si sospechas de una filtración.
            </p>
          </div>
        </div>
      )}
    </ConfirmDialog>
  )
}

interface Words {
  tomorrow: string
  now: string
  option: (old: string) => string
}

const another: Words = {
  tomorrow:
    'Se generará un valor distinto. El anterior seguirá siendo válido 24 horas más, para que los sistemas alcancen a cambiar; después dejará de funcionar.',
  now: 'Se generará un valor distinto y el anterior dejará de funcionar en este momento: todo sistema que lo use recibirá errores hasta que cambie.',
  option: (old) => `Revocar ${old} de inmediato`,
}

/** Until now the API key signed, and so it does for a while beside the first secret. */
const firstSecret: Words = {
  tomorrow:
    'Se generará un secreto que solo sirve para firmar. La firma con la API key seguirá siendo válida 24 horas más, para que los sistemas alcancen a cambiar; después dejará de aceptarse.',
  now: 'Se generará un secreto que solo sirve para firmar. Todo evento firmado con la API key se rechazará desde este momento, hasta que los sistemas firmen con el secreto.',
  option: () => 'Dejar de aceptar de inmediato la firma con la API key',
}

const FIRST_KEY = 'Se generará un valor que permite actuar en nombre de la empresa. Guárdalo en un lugar seguro.'

const wordsOf = (kind: KeyKind, first: boolean): Words | undefined => {
  if (!first) return another
  return kind === 'signing' ? firstSecret : undefined
}
