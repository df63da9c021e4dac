// serviceaccounts/token: issues a token for a service account.
// Kubernetes: pkg/registry/core/serviceaccount/storage.TokenREST.Create
// Kubernetes: pkg/apis/authentication/validation.ValidateTokenRequest
// Kubernetes: pkg/apis/authentication/v1.SetDefaults_TokenRequestSpec
import { tokenRequestKind } from '../../../api/kinds/authentication/token-request/kind.ts'
import { nodes, pods, secrets, serviceAccounts } from '../../../api/kinds.ts'
import { type FieldError, invalid } from '../../../api/machinery/field-error.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import { badRequestError, conflictError, invalidError, StatusError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, Pod } from '../../../api/types.ts'
import { type Clock, formatTime } from '../../../base/clock.ts'
import { type Random, randomUid } from '../../../base/random.ts'
import { serviceAccountUser } from '../../auth/service-account-names.ts'
import type { BoundObject, ServiceAccountTokens } from '../../auth/service-account-tokens.ts'
import { trackChange } from '../../rest/managed-fields.ts'
import { ensureNamespace } from '../../rest/naming.ts'
import { readBody } from '../../rest/request-body.ts'
import type { Input, WriteOptions } from '../../rest/rest.ts'
import { keyOf, readEntry, type Storage } from '../../rest/scope.ts'
import type { NewObject } from '../../rest/write-steps.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

interface TokenRequest extends KubernetesObject {
  readonly spec: {
    readonly audiences?: readonly string[]
    readonly expirationSeconds?: number
    readonly boundObjectRef?: { readonly kind?: string; readonly apiVersion?: string; readonly name?: string; readonly uid?: string }
  }
}

const defaultSeconds = 3600
const minSeconds = 600
const maxSeconds = 2 ** 32
/** A token for the API server that a pod requests with this lifetime is valid for a year, so that clients that read it only once keep working. */
const extendedTokenSeconds = 3607
const extendedSeconds = 365 * 24 * 3600

/** What a token is issued from. */
interface TokenScope extends Storage {
  readonly clock: Clock
  readonly random: Random
}

export const serviceAccountBehavior: BehaviorDefinition = {
  kinds: [serviceAccounts],
  define: ({ tokens }) =>
    tokens === undefined
      ? {}
      : {
          subresources: {
            token: {
              create: (scope, namespace, name, input, options) => requestToken(scope, tokens, namespace, name, input, options),
            },
          },
        },
}

function requestToken(
  scope: TokenScope,
  tokens: ServiceAccountTokens,
  namespace: string,
  name: string,
  input: Input,
  options: WriteOptions,
): KubernetesObject {
  const asked = readBody<TokenRequest>(tokenRequestKind, input, options) as TokenRequest
  const metadata = { ...asked.metadata }
  ensureNamespace({ metadata } as NewObject, namespace)
  const { spec } = asked
  const { name: askedName, namespace: _namespace, uid: askedUid, creationTimestamp: _time, ...more } = metadata
  if (askedName && askedName !== name) {
    const why = 'must match the service account name if specified'
    throw invalidError(tokenRequestKind, name, [invalid('metadata.name', askedName, why)])
  }
  const { uid, ...issued } = issueToken(scope, tokens, namespace, name, spec, askedUid)
  const { audiences, seconds, issuedAtMs, token } = issued
  const createdAt = formatTime(issuedAtMs)
  const request = {
    kind: tokenRequestKind.kind,
    apiVersion: `${tokenRequestKind.group}/${tokenRequestKind.version}`,
    metadata: { name, namespace, uid, creationTimestamp: createdAt, ...more },
    // No manager owns the default audience.
    spec: { ...(spec.audiences?.length && { audiences }), expirationSeconds: seconds, boundObjectRef: spec.boundObjectRef ?? null },
  }
  trackChange(createdAt, tokenRequestKind, undefined, request as object as NewObject, 'token', options)
  return {
    ...request,
    spec: { ...request.spec, audiences },
    status: { token, expirationTimestamp: formatTime(issuedAtMs + seconds * 1000) },
  } as KubernetesObject
}

interface IssuedToken {
  readonly token: string
  readonly audiences: readonly string[]
  /** The requested lifetime. The token may be valid for longer. */
  readonly seconds: number
  readonly issuedAtMs: number
  /** Of the service account. */
  readonly uid: string
}

/** Throws a StatusError where the request is invalid, or where the account or what the token is bound to does not exist. */
function issueToken(
  scope: TokenScope,
  tokens: ServiceAccountTokens,
  namespace: string,
  name: string,
  spec: TokenRequest['spec'],
  askedUid?: string,
): IssuedToken {
  const account = readEntry(scope, serviceAccounts, namespace, name).object
  const uid = account.metadata?.uid ?? ''
  if (askedUid && askedUid !== uid) {
    const why = `the UID in the token request (${askedUid}) does not match the UID of the service account (${uid})`
    throw conflictError({ group: tokenRequestKind.group, plural: tokenRequestKind.kind }, name, why)
  }
  const seconds = spec.expirationSeconds ?? defaultSeconds
  validate(seconds)
  const bound = readBoundObjects(scope, namespace, name, spec.boundObjectRef)
  const audiences = spec.audiences?.length ? spec.audiences : [tokens.issuer]
  const now = Math.floor(scope.clock.now() / 1000)
  const isExtended = bound.pod !== undefined && seconds === extendedTokenSeconds && audiences.every((one) => one === tokens.issuer)
  const token = tokens.sign({
    aud: audiences,
    exp: now + (isExtended ? extendedSeconds : seconds),
    iat: now,
    iss: tokens.issuer,
    jti: randomUid(scope.random),
    'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid }, ...(isExtended && { warnafter: now + seconds }) },
    nbf: now,
    sub: serviceAccountUser(namespace, name),
  })
  return { token, audiences, seconds, issuedAtMs: now * 1000, uid }
}

/** A token of the pod's service account that is bound to the pod. Undefined: the pod or its account does not exist. */
export function issuePodToken(
  scope: TokenScope,
  tokens: ServiceAccountTokens,
  { metadata, spec }: Pod,
  audience: string | undefined,
  expirationSeconds: number,
): string | undefined {
  const { namespace = '', name = '', uid = '' } = metadata ?? {}
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name, uid }
  const audiences = audience === undefined ? [] : [audience]
  try {
    return issueToken(scope, tokens, namespace, spec?.serviceAccountName ?? '', { audiences, expirationSeconds, boundObjectRef }).token
  } catch (error) {
    if (error instanceof StatusError) return undefined
    throw error
  }
}

function validate(seconds: number): void {
  const errors: FieldError[] = []
  const path = 'spec.expirationSeconds'
  if (seconds < minSeconds) errors.push(invalid(path, seconds, 'may not specify a duration less than 10 minutes'))
  if (seconds > maxSeconds) errors.push(invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds'))
  if (errors.length > 0) throw invalidError({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', errors)
}

interface BoundObjects {
  readonly node?: BoundObject
  readonly pod?: BoundObject
  readonly secret?: BoundObject
}

function readBoundObjects(
  scope: TokenScope,
  namespace: string,
  account: string,
  reference: TokenRequest['spec']['boundObjectRef'],
): BoundObjects {
  if (reference === undefined || reference === null) return {}
  const { kind, apiVersion, name = '', uid } = reference
  const [group, version] = splitVersion(apiVersion ?? '')
  const isOf = (wanted: string) => group === '' && kind === wanted
  const read = (kind: Kind, where: string, check?: (object: KubernetesObject) => void) => {
    const object = readEntry(scope, kind, where, name).object
    const found = object.metadata?.uid ?? ''
    check?.(object)
    if (uid && uid !== found) {
      const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
      throw conflictError({ group: '', plural: kind.kind }, name, why)
    }
    return { object, bound: { name, uid: found } }
  }
  if (isOf('Pod')) {
    const { object, bound } = read(pods, namespace, (pod) => {
      if (((pod as Pod).spec?.serviceAccountName ?? '') !== account)
        throw badRequestError(
          `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
        )
    })
    const { nodeName = '' } = (object as Pod).spec ?? {}
    const node = nodeName === '' ? undefined : scope.store.get(keyOf(nodes, '', nodeName))
    if (node === undefined) return { pod: bound }
    return {
      node: { name: nodeName, uid: readEntry(scope, nodes, '', nodeName).object.metadata?.uid ?? '' },
      pod: bound,
    }
  }
  if (isOf('Secret')) return { secret: read(secrets, namespace).bound }
  if (isOf('Node')) return { node: read(nodes, '').bound }
  throw badRequestError(`cannot bind token to object of type ${group}/${version}, Kind=${kind ?? ''}`)
}

function splitVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}
