// Reviews (TokenReview, SubjectAccessReview, …) are answered and not stored. Members of system:masters may do everything.

import { type FieldError, invalid, required } from '../../api/machinery/field-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Caller, ObjectResponse } from './rest.ts'

/** The owner of a bearer token. */
export type Authenticate = (token: string) => Caller | undefined

const isMaster = ({ groups }: { readonly groups: readonly string[] }) => groups.includes('system:masters')

/** The review with its status. Throws a StatusError (422). */
export function review(kind: Kind, asked: KubernetesObject, caller: Caller, authenticate: Authenticate | undefined): ObjectResponse {
  const { metadata, spec } = asked as KubernetesObject & { readonly spec?: unknown }
  const status = statusOf(kind, spec ?? {}, caller, authenticate)
  const shown = { metadata: metadata ?? {}, ...(kind.kind !== 'SelfSubjectReview' && { spec: spec ?? {} }), status }
  const object: KubernetesObject = { kind: kind.kind, apiVersion: apiVersionOf(kind), ...shown }
  return { kind, object, json: JSON.stringify(shown) }
}

function statusOf(kind: Kind, spec: object, caller: Caller, authenticate: Authenticate | undefined): object {
  switch (kind.kind) {
    case 'SelfSubjectReview':
      return { userInfo: userInfo(caller) }
    case 'TokenReview':
      return reviewToken(kind, spec as TokenSpec, authenticate)
    case 'SelfSubjectAccessReview':
      checkAttributes(kind, spec as AccessSpec)
      return { allowed: isMaster(caller) }
    case 'SubjectAccessReview': {
      const { user, groups = [] } = spec as AccessSpec
      checkAttributes(kind, spec as AccessSpec)
      if (!user && groups.length === 0) throw refuse(kind, [invalid('spec.user', '', 'at least one of user or group must be specified')])
      return { allowed: isMaster({ groups }) || user === caller.name }
    }
    default:
      return reviewRules(kind, spec as { readonly namespace?: string }, caller)
  }
}

const refuse = (kind: Kind, errors: readonly FieldError[]) => invalidError(kind, '', errors)

interface TokenSpec {
  readonly token?: string
}

interface AccessSpec {
  readonly resourceAttributes?: unknown
  readonly nonResourceAttributes?: unknown
  readonly user?: string
  readonly groups?: readonly string[]
}

function checkAttributes(kind: Kind, { resourceAttributes, nonResourceAttributes }: AccessSpec): void {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    throw refuse(kind, [
      invalid('spec.nonResourceAttributes', nonResourceAttributes, 'cannot be specified in combination with resourceAttributes'),
    ])
  if (resourceAttributes === undefined && nonResourceAttributes === undefined)
    throw refuse(kind, [
      invalid(
        'spec.resourceAttributes',
        resourceAttributes,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ])
}

function reviewToken(kind: Kind, { token = '' }: TokenSpec, authenticate: Authenticate | undefined): object {
  if (token === '') throw refuse(kind, [required('spec.token', '')])
  const user = authenticate?.(token)
  return user === undefined ? { user: {}, error: 'invalid bearer token' } : { authenticated: true, user: userInfo(user) }
}

function reviewRules(kind: Kind, { namespace = '' }: { readonly namespace?: string }, caller: Caller): object {
  if (namespace === '') throw refuse(kind, [required('spec.namespace', '')])
  const all = ['*']
  if (!isMaster(caller)) return { resourceRules: [], nonResourceRules: [], incomplete: false }
  return {
    resourceRules: [{ verbs: all, apiGroups: all, resources: all }],
    nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
    incomplete: false,
  }
}

const userInfo = ({ name, uid, groups }: Caller) => ({ username: name, ...(uid && { uid }), ...(groups.length > 0 && { groups }) })
