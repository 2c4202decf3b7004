import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Options = Record<string, unknown>

/** A phone or key that makes and uses passkeys, honest or not. */
export class Device {
  readonly #id = randomBytes(32)
  readonly #private: KeyObject
  readonly #public: { x: Buffer; y: Buffer }
  counter = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#private = privateKey
    this.#public = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  register(options: Options, { origin, host = new URL(origin).hostname, verified = true }: Place) {
    const client = clientData('webauthn.create', options, origin)
    const key = new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, new Uint8Array(this.#public.x)],
      [-3, new Uint8Array(this.#public.y)],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, isoCBOR.encode(key as never)])
    const authData = Buffer.concat([this.#head(host, verified, 0x40), credential])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url')
    return this.#answer({ clientDataJSON: client.toString('base64url'), attestationObject, transports: ['internal'] })
  }

  sign(options: Options, { origin, host = new URL(origin).hostname, verified = true }: Place) {
    this.counter += 1
    const client = clientData('webauthn.get', options, origin)
    const authData = this.#head(host, verified)
    const hash = createHash('sha256').update(client).digest()
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, hash]))
      .sign(this.#private)
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #head(host: string, verified: boolean, flags = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const present = 0x01 | (verified ? 0x04 : 0)
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([present | flags]), counter])
  }

  #answer(response: Record<string, unknown>) {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }
}

interface Place {
  origin: string
  host?: string
  /** Whether it asked for a finger or a PIN. */
  verified?: boolean
}

const clientData = (type: string, { challenge }: Options, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
