import type { Issuer } from '#contract/issuers.ts'
import { Fact } from '#web/ui/Card.tsx'
import { useRotateIssuerKey, useRotatePostbackToken } from './own-company.ts'
import { SecretKey } from './SecretKey.tsx'

interface Props {
  /** Undefined while it loads. */
  issuer: Issuer | undefined
  labels: { key: string; token: string }
  /** Called when one is shown and when it is masked again. */
  onShown?: (which: 'key' | 'token', shown: boolean) => void
}

/** The keys with which an issuer's systems report, as facts. */
export function IssuerKeys({ issuer, labels, onShown }: Props) {
  const rotateKey = useRotateIssuerKey(issuer?.id)
  const rotateToken = useRotatePostbackToken(issuer?.id)
  return (
    <>
      <Fact label={labels.key} wide>
        <SecretKey
          name="la API key"
          label="API key"
          value={issuer?.api_key}
          loading={!issuer}
          rotate={rotateKey}
          onShown={(shown) => onShown?.('key', shown)}
        />
      </Fact>
      <Fact label={labels.token} wide>
        <SecretKey
          name="el token de postback"
          label="token de postback"
          value={issuer?.postback_token}
          loading={!issuer}
          rotate={rotateToken}
          onShown={(shown) => onShown?.('token', shown)}
        />
      </Fact>
    </>
  )
}
