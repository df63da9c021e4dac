// Reviews (TokenReview, SubjectAccessReview, …) are answered and not stored.
// Kubernetes: pkg/registry/authentication/tokenreview.REST.Create
// Kubernetes: pkg/registry/authentication/selfsubjectreview.REST.Create
// Kubernetes: pkg/registry/authorization/subjectaccessreview.REST.Create
// Kubernetes: pkg/registry/authorization/selfsubjectaccessreview.REST.Create
// Kubernetes: pkg/registry/authorization/localsubjectaccessreview.REST.Create
// Kubernetes: pkg/registry/authorization/selfsubjectrulesreview.REST.Create

import { type FieldError, invalid } from '../../api/machinery/field-error.ts'
import { joinErrors } from '../../api/machinery/go-text.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { badRequestError, invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { ReviewToken } from '../auth/authenticator.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { RequestAttributes } from '../auth/policy-rules.ts'
import { trackChange } from './managed-fields.ts'
import { ensureNamespace } from './naming.ts'
import type { Caller, ObjectResponse, WriteOptions } from './rest.ts'
import type { NewObject } from './write-steps.ts'

interface ReviewParts {
  readonly reviewToken: ReviewToken | undefined
  readonly authorizer: Authorizer
  readonly nowMs: number
}

/** The review with its status. Throws a StatusError (422). */
export function review(kind: Kind, namespace: string, asked: KubernetesObject, options: WriteOptions, parts: ReviewParts): ObjectResponse {
  const { spec = {} } = asked as { readonly spec?: object }
  const metadata = { ...asked.metadata }
  ensureNamespace({ metadata } as NewObject, kind.namespaced ? namespace : '')
  const { name, generateName, namespace: own, ...more } = metadata
  const named = { ...(name && { name }), ...(generateName && { generateName }), ...(own && { namespace: own }) }
  const typeMeta = { kind: kind.kind, apiVersion: apiVersionOf(kind) }
  const tracked = { ...typeMeta, metadata: { ...named, ...more }, spec }
  trackChange(formatTime(parts.nowMs), kind, undefined, tracked as NewObject, undefined, options)
  const shown = { metadata: tracked.metadata, ...answer(kind, tracked.metadata, spec, options.caller, parts) }
  return { kind, object: { ...typeMeta, ...shown } as KubernetesObject, json: JSON.stringify(shown) }
}

function answer(kind: Kind, metadata: ObjectMeta, spec: object, caller: Caller, parts: ReviewParts): object {
  switch (kind.kind) {
    case 'SelfSubjectReview':
      return { metadata: { creationTimestamp: formatTime(parts.nowMs) }, status: { userInfo: userInfo(caller) } }
    case 'SelfSubjectRulesReview':
      return { metadata: {}, spec: {}, status: reviewRules(spec as { readonly namespace?: string }, caller, parts) }
    case 'TokenReview':
      return { spec, status: reviewTokenOf(spec as TokenSpec, parts) }
    default:
      return { spec, status: reviewAccess(kind, metadata, spec as AccessSpec, caller, parts) }
  }
}

// As in Kubernetes, the message names no kind.
const refuse = ({ group }: Kind, errors: readonly FieldError[]) => invalidError({ group, kind: '' }, '', errors)

interface TokenSpec {
  readonly token?: string
  readonly audiences?: readonly string[]
}

interface AccessSpec {
  readonly resourceAttributes?: Partial<Record<'namespace' | 'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'name', string>>
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string }
  readonly user?: string
  readonly groups?: readonly string[]
}

function reviewAccess(kind: Kind, metadata: ObjectMeta, spec: AccessSpec, caller: Caller, parts: ReviewParts): object {
  const errors = validateAccess(kind, metadata, spec)
  if (errors.length > 0) throw refuse(kind, errors)
  const { user = '', groups = [] } = spec
  return decide(parts, kind.kind === 'SelfSubjectAccessReview' ? caller : { name: user, groups }, attributesOf(spec))
}

function decide({ authorizer }: ReviewParts, user: Caller, attributes: RequestAttributes): object {
  const { allowed, reason } = authorizer.authorize(user, attributes)
  return { allowed, ...(reason !== '' && { reason }) }
}

function validateAccess(kind: Kind, metadata: ObjectMeta, spec: AccessSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user = '', groups = [] } = spec
  const errors: FieldError[] = []
  const refusePath = (why: string) => {
    const { path = '', verb = '' } = nonResourceAttributes ?? {}
    errors.push(invalid('spec.nonResourceAttributes', { Path: path, Verb: verb }, why))
  }
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    refusePath('cannot be specified in combination with resourceAttributes')
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    errors.push(invalid('spec.resourceAttributes', undefined, why))
  }
  if (kind.kind !== 'SelfSubjectAccessReview' && user === '' && groups.length === 0)
    errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'))
  const isLocal = kind.kind === 'LocalSubjectAccessReview'
  const isAllowed = (name: string) => name === 'managedFields' || (isLocal && name === 'namespace')
  if (!Object.keys(metadata).every(isAllowed))
    errors.push(invalid('metadata', metadata, isLocal ? 'must be empty except for namespace' : 'must be empty'))
  if (!isLocal) return errors
  const asked = resourceAttributes?.namespace ?? ''
  if (resourceAttributes !== undefined && asked !== metadata.namespace)
    errors.push(invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'))
  if (nonResourceAttributes !== undefined) refusePath('disallowed on this kind of request')
  return errors
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: AccessSpec): RequestAttributes {
  if (resourceAttributes === undefined) return { verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' }
  const { namespace = '', verb = '', group = '', version = '', resource = '', subresource = '', name = '' } = resourceAttributes
  return { namespace, verb, group, version, resource, subresource, name }
}

function reviewTokenOf({ token = '', audiences }: TokenSpec, { reviewToken }: ReviewParts): object {
  if (token === '') throw badRequestError('token is required for TokenReview in authentication')
  const owner = reviewToken?.(token, audiences?.length ? audiences : undefined) ?? { error: 'invalid bearer token' }
  if ('error' in owner) return { user: {}, error: owner.error }
  return { authenticated: true, user: userInfo(owner.caller), ...(owner.audiences.length > 0 && { audiences: owner.audiences }) }
}

function reviewRules({ namespace = '' }: { readonly namespace?: string }, caller: Caller, { authorizer }: ReviewParts): object {
  if (namespace === '') throw badRequestError('no namespace on request')
  const { rules, errors } = authorizer.rulesOf(caller, namespace)
  return {
    resourceRules: rules
      .filter(({ resources }) => resources?.length)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames?.length && { resourceNames }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: errors.length > 0,
    ...(errors.length > 0 && { evaluationError: joinErrors(errors) }),
  }
}

const userInfo = ({ name, uid, groups, extra }: Caller) => ({
  username: name,
  ...(uid && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra && Object.keys(extra).length > 0 && { extra }),
})
