// Tokens of service accounts: JSON web tokens, signed with the key of the cluster.
// Kubernetes: pkg/serviceaccount.Claims, jwtTokenGenerator.GenerateToken
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface TokenClaims {
  readonly aud: readonly string[]
  /** Seconds since 1970, as all times here. */
  readonly exp: number
  readonly iat: number
  readonly iss: string
  readonly jti: string
  readonly 'kubernetes.io': {
    readonly namespace: string
    readonly node?: BoundObject
    readonly pod?: BoundObject
    readonly secret?: BoundObject
    readonly serviceaccount: BoundObject
    /** When a client should have read a newer token. */
    readonly warnafter?: number
  }
  readonly nbf: number
  readonly sub: string
}

export interface BoundObject {
  readonly name: string
  readonly uid: string
}

interface ServiceAccountKeys {
  /** RSA or P-256. */
  readonly signingKey: KeyObject
  /** Further keys whose tokens are accepted. */
  readonly verificationKeys?: readonly KeyObject[]
  readonly issuer: string
}

interface KnownKey {
  readonly id: string
  readonly key: KeyObject
  readonly algorithm: 'RS256' | 'ES256'
}

const maxVerified = 1000

export class ServiceAccountTokens {
  readonly issuer: string
  readonly #signingKey: KeyObject
  readonly #keys: readonly KnownKey[]
  /** Tokens whose signature is right. */
  readonly #verified = new Map<string, TokenClaims>()

  constructor({ signingKey, verificationKeys = [], issuer }: ServiceAccountKeys) {
    this.issuer = issuer
    this.#signingKey = signingKey
    const keys = [signingKey, ...verificationKeys].map((key) => knownKey(key.type === 'private' ? createPublicKey(key) : key))
    this.#keys = keys.filter(({ id }, i) => keys.findIndex((one) => one.id === id) === i)
  }

  sign(claims: TokenClaims): string {
    const { id, algorithm } = this.#keys[0]!
    const body = `${encode({ alg: algorithm, kid: id })}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(body), { key: this.#signingKey, dsaEncoding: 'ieee-p1363' })
    return `${body}.${signature.toString('base64url')}`
  }

  /** The claims of a token that this cluster has signed; undefined for any other. Does not check its times or what it is bound to. */
  verify(token: string): TokenClaims | undefined {
    const known = this.#verified.get(token)
    if (known !== undefined) return known
    const claims = this.#verifySignature(token)
    if (claims === undefined || claims.iss !== this.issuer) return undefined
    if (this.#verified.size >= maxVerified) this.#verified.clear()
    this.#verified.set(token, claims)
    return claims
  }

  #verifySignature(token: string): TokenClaims | undefined {
    const [head = '', body = '', signature = '', ...rest] = token.split('.')
    const header = decode<{ readonly alg?: string; readonly kid?: string }>(head)
    if (header === undefined || rest.length > 0) return undefined
    const signed = Buffer.from(`${head}.${body}`)
    for (const { id, key, algorithm } of this.#keys) {
      if (header.alg !== algorithm || (header.kid !== undefined && header.kid !== id)) continue
      if (verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
        return decode<TokenClaims>(body)
    }
    return undefined
  }

  /** /.well-known/openid-configuration */
  discoveryDocument(serverUrl: string): string {
    return JSON.stringify({
      issuer: this.issuer,
      jwks_uri: `${serverUrl}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(this.#keys.map(({ algorithm }) => algorithm))],
    })
  }

  /** /openid/v1/jwks */
  keySet(): string {
    return JSON.stringify({
      keys: this.#keys.map(({ id, key, algorithm }) => {
        const { kty, ...rest } = key.export({ format: 'jwk' })
        return { use: 'sig', kty, kid: id, alg: algorithm, ...rest }
      }),
    })
  }
}

function knownKey(key: KeyObject): KnownKey {
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
  return { id, key, algorithm: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256' }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function decode<T>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch {
    return undefined
  }
}
