import { useQuery } from '@tanstack/react-query'
import type { KeyKind } from '#contract/companies.ts'
import type { Issuer } from '#contract/issuers.ts'
import { accessQuery, hasNone, type Owner } from '#web/companies/access.ts'
import { ChangeKey } from '#web/companies/ChangeKey.tsx'
import { KeyState } from '#web/companies/KeyState.tsx'
import { SignatureRule } from '#web/companies/SignatureRule.tsx'
import { Fact } from '#web/ui/Card.tsx'
import { SecretKey } from './SecretKey.tsx'

interface Props {
  /** Undefined while it loads. */
  issuer: Issuer | undefined
  labels: Record<KeyKind, string>
  /** Called when one is shown and when it is masked again. */
  onShown?: (which: KeyKind, shown: boolean) => void
}

/** The keys with which an issuer's systems report, as facts. */
export function IssuerKeys({ issuer, labels, onShown }: Props) {
  const owner: Owner = { noun: 'issuer', id: issuer?.id ?? 0 }
  const access = useQuery(accessQuery(owner))
  const shown = { api: issuer?.api_key, signing: issuer?.signing_secret, postback: issuer?.postback_token }
  const names = { api: 'API key', signing: 'secreto de firma', postback: 'token de postback' }
  return (
    <>
      {(['api', 'signing', 'postback'] as const).map((kind) => (
        <Fact key={kind} label={labels[kind]} wide>
          <SecretKey label={names[kind]} value={shown[kind]} loading={!issuer} onShown={(is) => onShown?.(kind, is)}>
            <ChangeKey owner={owner} kind={kind} first={hasNone(access.data, kind)} loading={!issuer} />
          </SecretKey>
          <KeyState owner={owner} kind={kind} access={access.data} />
        </Fact>
      ))}
      <Fact label="Firma de los eventos" wide>
        <SignatureRule owner={owner} access={access.data} />
      </Fact>
    </>
  )
}
