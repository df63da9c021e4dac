// Reviews (TokenReview, SubjectAccessReview, …) are answered and not stored.

import { type FieldError, invalid } from '../../api/machinery/field-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { badRequestError, invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { ReviewToken } from '../auth/authenticator.ts'
import { type Authorizer, joinErrors } from '../auth/authorizer.ts'
import type { RequestAttributes } from '../auth/policy-rules.ts'
import type { Caller, ObjectResponse } from './rest.ts'

interface ReviewParts {
  readonly reviewToken: ReviewToken | undefined
  readonly authorizer: Authorizer
  readonly nowMs: number
}

/** The review with its status. Throws a StatusError (422). */
export function review(kind: Kind, namespace: string, asked: KubernetesObject, caller: Caller, parts: ReviewParts): ObjectResponse {
  const { metadata, spec = {} } = asked as KubernetesObject & { readonly spec?: object }
  const shown = {
    metadata: { ...metadata, ...(kind.namespaced && { namespace }) },
    ...(kind.kind !== 'SelfSubjectReview' && { spec: kind.kind === 'SelfSubjectRulesReview' ? {} : spec }),
    ...answer(kind, namespace, spec, caller, parts),
  }
  const object: KubernetesObject = { kind: kind.kind, apiVersion: apiVersionOf(kind), ...shown }
  return { kind, object, json: JSON.stringify(shown) }
}

function answer(kind: Kind, namespace: string, spec: object, caller: Caller, parts: ReviewParts): object {
  switch (kind.kind) {
    case 'SelfSubjectReview':
      return { metadata: { creationTimestamp: formatTime(parts.nowMs) }, status: { userInfo: userInfo(caller) } }
    case 'TokenReview':
      return { status: reviewTokenOf(spec as TokenSpec, parts) }
    case 'SelfSubjectAccessReview':
      return { status: decide(parts, caller, readAttributes(kind, spec as AccessSpec)) }
    case 'LocalSubjectAccessReview':
      checkLocal(kind, namespace, spec as AccessSpec)
      return { status: reviewSubject(kind, spec as AccessSpec, parts) }
    case 'SubjectAccessReview':
      return { status: reviewSubject(kind, spec as AccessSpec, parts) }
    default:
      return { status: reviewRules(spec as { readonly namespace?: string }, caller, parts) }
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

function reviewSubject(kind: Kind, spec: AccessSpec, parts: ReviewParts): object {
  const { user = '', groups = [] } = spec
  const attributes = readAttributes(kind, spec)
  if (user === '' && groups.length === 0) throw refuse(kind, [invalid('spec.user', '', 'at least one of user or group must be specified')])
  return decide(parts, { name: user, groups }, attributes)
}

function decide({ authorizer }: ReviewParts, user: Caller, attributes: RequestAttributes): object {
  const { allowed, reason } = authorizer.authorize(user, attributes)
  return { allowed, ...(reason !== '' && { reason }) }
}

function checkLocal(kind: Kind, namespace: string, { resourceAttributes, nonResourceAttributes }: AccessSpec): void {
  const { namespace: asked = '' } = resourceAttributes ?? {}
  if (resourceAttributes !== undefined && asked !== namespace)
    throw refuse(kind, [invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')])
  if (nonResourceAttributes !== undefined) {
    const { path = '', verb = '' } = nonResourceAttributes
    throw refuse(kind, [invalid('spec.nonResourceAttributes', { Path: path, Verb: verb }, 'disallowed on this kind of request')])
  }
}

function readAttributes(kind: Kind, { resourceAttributes, nonResourceAttributes }: AccessSpec): RequestAttributes {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    throw refuse(kind, [
      invalid('spec.nonResourceAttributes', nonResourceAttributes, 'cannot be specified in combination with resourceAttributes'),
    ])
  if (resourceAttributes !== undefined) {
    const { namespace = '', verb = '', group = '', version = '', resource = '', subresource = '', name = '' } = resourceAttributes
    return { namespace, verb, group, version, resource, subresource, name }
  }
  if (nonResourceAttributes === undefined)
    throw refuse(kind, [
      invalid('spec.resourceAttributes', undefined, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'),
    ])
  return { verb: nonResourceAttributes.verb ?? '', path: nonResourceAttributes.path ?? '' }
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
