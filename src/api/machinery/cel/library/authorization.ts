// Checks of what a user may do: `authorizer.group('').resource('pods').check('get').allowed()`. Only admission has an `authorizer`; the
// functions are known to all expressions.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.authz.*, authzSelectors.*
import { bool, opaque, string } from '../cel-type.ts'
import { type Functions, member } from '../functions.ts'
import { OpaqueValue } from '../values.ts'

const prefix = 'kubernetes.authorization'
export const authorizerType = opaque(`${prefix}.Authorizer`)
const pathType = opaque(`${prefix}.PathCheck`)
const groupType = opaque(`${prefix}.GroupCheck`)
export const resourceCheckType = opaque(`${prefix}.ResourceCheck`)
const decisionType = opaque(`${prefix}.Decision`)

interface AskedRequest {
  readonly group?: string
  readonly resource?: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  readonly path?: string
}

interface AuthorizationDecision {
  readonly allowed: boolean
  readonly reason: string
}

/** Answers the checks of one user. */
export interface AuthorizationSource {
  decide(verb: string, asked: AskedRequest): AuthorizationDecision
  /** The same for a service account. */
  asServiceAccount(namespace: string, name: string): AuthorizationSource
}

/** A check as far as it has been built. */
export class AuthorizationCheck extends OpaqueValue<AskedRequest> {
  readonly source: AuthorizationSource

  constructor(type: { readonly name: string }, source: AuthorizationSource, asked: AskedRequest = {}) {
    super(type, asked)
    this.source = source
  }

  with(asked: AskedRequest, type: { readonly name: string } = { name: this.typeName }): AuthorizationCheck {
    return new AuthorizationCheck(type, this.source, { ...this.content, ...asked })
  }
}

type Check = AuthorizationCheck
type DecisionValue = OpaqueValue<AuthorizationDecision>

/** A copy: each decision equals itself only. */
const decide = ({ source, content }: Check, verb: string): DecisionValue =>
  new OpaqueValue(decisionType, { ...source.decide(verb, content) })
const narrow = (field: keyof AskedRequest) => [
  member([resourceCheckType, string], resourceCheckType, (check: Check, value: string) => check.with({ [field]: value })),
]
const unchanged = [member([resourceCheckType, string], resourceCheckType, (check: Check) => check)]

export const authorization: Functions = {
  path: [member([authorizerType, string], pathType, (check: Check, path: string) => check.with({ path }, pathType))],
  group: [member([authorizerType, string], groupType, (check: Check, group: string) => check.with({ group }, groupType))],
  serviceAccount: [
    member(
      [authorizerType, string, string],
      authorizerType,
      ({ source }: Check, namespace: string, name: string) =>
        new AuthorizationCheck(authorizerType, source.asServiceAccount(namespace, name)),
    ),
  ],
  resource: [
    member([groupType, string], resourceCheckType, (check: Check, resource: string) => check.with({ resource }, resourceCheckType)),
  ],
  subresource: narrow('subresource'),
  namespace: narrow('namespace'),
  name: narrow('name'),
  fieldSelector: unchanged,
  labelSelector: unchanged,
  check: [member([pathType, string], decisionType, decide), member([resourceCheckType, string], decisionType, decide)],
  allowed: [member([decisionType], bool, ({ content }: DecisionValue) => content.allowed)],
  reason: [member([decisionType], string, ({ content }: DecisionValue) => content.reason)],
  errored: [member([decisionType], bool, () => false)],
  error: [member([decisionType], string, () => '')],
}
