// Reviews (TokenReview, SubjectAccessReview, …) are answered and not stored.
// Kubernetes: pkg/registry/authentication/tokenreview.REST.Create
// Kubernetes: pkg/registry/authentication/selfsubjectreview.REST.Create
// Kubernetes: pkg/registry/authorization/subjectaccessreview.REST.Create
// Kubernetes: pkg/registry/authorization/selfsubjectaccessreview.REST.Create
// Kubernetes: pkg/registry/authorization/localsubjectaccessreview.REST.Create
// Kubernetes: pkg/registry/authorization/selfsubjectrulesreview.REST.Create

import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
  tokenReviews,
} from '../../../api/kinds.ts'
import { type FieldError, invalid } from '../../../api/machinery/field-error.ts'
import { joinErrors } from '../../../api/machinery/go-text.ts'
import { apiVersionOf, type Kind } from '../../../api/machinery/kind.ts'
import { badRequestError, invalidError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, ObjectMeta } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { RequestAttributes } from '../../auth/policy-rules.ts'
import { trackChange } from '../../rest/managed-fields.ts'
import { ensureNamespace } from '../../rest/naming.ts'
import { readBody } from '../../rest/request-body.ts'
import type { Caller, ObjectResponse, WriteOptions } from '../../rest/rest.ts'
import type { NewObject } from '../../rest/write-steps.ts'
import type { BehaviorDefinition, BehaviorParts } from '../kind-behavior.ts'

/** One review that is asked, with what answers it. */
interface Review {
  readonly kind: Kind
  readonly metadata: ObjectMeta
  readonly spec: object
  readonly caller: Caller
  readonly parts: BehaviorParts
}

/** The fields of the response besides its managed metadata. Throws a StatusError (422). */
type Answer = (review: Review) => object

const reviewed = (kind: Kind, answer: Answer): BehaviorDefinition => ({
  kinds: [kind],
  define: (parts) => ({
    create: (_scope, namespace, input, options) => respond(kind, namespace, readBody(kind, input, options), options, parts, answer),
  }),
})

export const reviewBehaviors: readonly BehaviorDefinition[] = [
  reviewed(selfSubjectReviews, ({ caller, parts }) => ({
    metadata: { creationTimestamp: formatTime(parts.clock.now()) },
    status: { userInfo: userInfo(caller) },
  })),
  reviewed(selfSubjectRulesReviews, ({ spec, caller, parts }) => ({ metadata: {}, spec: {}, status: reviewRules(spec, caller, parts) })),
  reviewed(tokenReviews, ({ spec, parts }) => ({ spec, status: reviewToken(spec, parts) })),
  reviewed(selfSubjectAccessReviews, (review) => reviewAccess(review, { ofCaller: true })),
  reviewed(subjectAccessReviews, (review) => reviewAccess(review, {})),
  reviewed(localSubjectAccessReviews, (review) => reviewAccess(review, { isLocal: true })),
]

function respond(
  kind: Kind,
  namespace: string,
  asked: KubernetesObject,
  options: WriteOptions,
  parts: BehaviorParts,
  answer: Answer,
): ObjectResponse {
  const { spec = {} } = asked as { readonly spec?: object }
  const metadata = { ...asked.metadata }
  ensureNamespace({ metadata } as NewObject, kind.namespaced ? namespace : '')
  const { name, generateName, namespace: own, ...more } = metadata
  const named = { ...(name && { name }), ...(generateName && { generateName }), ...(own && { namespace: own }) }
  const typeMeta = { kind: kind.kind, apiVersion: apiVersionOf(kind) }
  const tracked = { ...typeMeta, metadata: { ...named, ...more }, spec }
  trackChange(formatTime(parts.clock.now()), kind, undefined, tracked as object as NewObject, undefined, options)
  const shown = { metadata: tracked.metadata, ...answer({ kind, metadata: tracked.metadata, spec, caller: options.caller, parts }) }
  return { kind, object: { ...typeMeta, ...shown } as KubernetesObject, json: JSON.stringify(shown) }
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

interface AccessVariant {
  /** Whether it asks about the permissions of the caller alone. */
  readonly ofCaller?: boolean
  /** Within a namespace only. */
  readonly isLocal?: boolean
}

function reviewAccess({ kind, metadata, spec, caller, parts }: Review, variant: AccessVariant): object {
  const errors = validateAccess(metadata, spec, variant)
  if (errors.length > 0) throw refuse(kind, errors)
  const { user = '', groups = [] } = spec as AccessSpec
  return { spec, status: decide(parts, variant.ofCaller ? caller : { name: user, groups }, attributesOf(spec)) }
}

function decide({ authorizer }: BehaviorParts, user: Caller, attributes: RequestAttributes): object {
  const { allowed, reason } = authorizer.authorize(user, attributes)
  return { allowed, ...(reason !== '' && { reason }) }
}

function validateAccess(metadata: ObjectMeta, spec: AccessSpec, { ofCaller = false, isLocal = false }: AccessVariant): FieldError[] {
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
  if (!ofCaller && user === '' && groups.length === 0)
    errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'))
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

function reviewToken({ token = '', audiences }: TokenSpec, { reviewToken }: BehaviorParts): object {
  if (token === '') throw badRequestError('token is required for TokenReview in authentication')
  const owner = reviewToken?.(token, audiences?.length ? audiences : undefined) ?? { error: 'invalid bearer token' }
  if ('error' in owner) return { user: {}, error: owner.error }
  return { authenticated: true, user: userInfo(owner.caller), ...(owner.audiences.length > 0 && { audiences: owner.audiences }) }
}

function reviewRules({ namespace = '' }: { readonly namespace?: string }, caller: Caller, { authorizer }: BehaviorParts): object {
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
