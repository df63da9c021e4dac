// Admission policies: what ValidatingAdmissionPolicies and MutatingAdmissionPolicies share. A policy applies where one of its bindings does,
// once for each parameter of the binding.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/generic.policyDispatcher.Dispatch, CollectParams, matcher.DefinitionMatches
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/generic.matcher.BindingMatches, PolicyError.Error

import { compareNames } from '../../../api/machinery/compare-names.ts'
import type { KubernetesObject, MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from '../../../api/types.ts'
import { matchesLabels, selectorRequirements } from '../../../base/label-selector.ts'
import { perRequestBudget } from './admission-budget.ts'
import type { AdmissionAttributes } from './attributes.ts'
import type { ConfigurationReader } from './configuration-reader.ts'
import { kindSeenBy } from './equivalent-requests.ts'
import type { Program } from './expressions.ts'
import { type MatchResources, matchesSelectors } from './matching.ts'

type AnyPolicy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy

export interface PolicyBinding extends KubernetesObject {
  readonly spec?: {
    readonly policyName?: string
    readonly paramRef?: ParamRef
    readonly matchResources?: MatchResources
    readonly validationActions?: readonly string[]
  }
}

interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: Parameters<typeof selectorRequirements>[0]
  readonly parameterNotFoundAction?: string
}

export interface BoundPolicy<P extends AnyPolicy = AnyPolicy> {
  readonly policy: P
  readonly bindings: readonly PolicyBinding[]
}

/** Policies without bindings do nothing. */
export function bindPolicies<P extends AnyPolicy>(policies: readonly P[], bindings: readonly PolicyBinding[]): BoundPolicy<P>[] {
  return [...policies].sort(compareNames).flatMap((policy) => {
    const own = bindings.filter(({ spec }) => spec?.policyName === policy.metadata?.name).sort(compareNames)
    return own.length === 0 ? [] : [{ policy, bindings: own }]
  })
}

export const appliesTo = ({ policy, bindings }: BoundPolicy, attributes: AdmissionAttributes, reader: ConfigurationReader): boolean =>
  kindSeenByPolicy(policy, attributes, reader) !== undefined && bindings.some((one) => bindingApplies(one, attributes, reader))

/** The kind of the request as the constraints of the policy name it. Undefined: the request does not match them. */
export const kindSeenByPolicy = ({ spec }: AnyPolicy, attributes: AdmissionAttributes, reader: ConfigurationReader) =>
  kindMatched((spec?.matchConstraints ?? {}) as MatchResources, attributes, reader)

export const bindingApplies = ({ spec }: PolicyBinding, attributes: AdmissionAttributes, reader: ConfigurationReader): boolean =>
  spec?.matchResources === undefined || kindMatched(allByDefault(spec.matchResources), attributes, reader) !== undefined

/** A binding without rules applies to all requests of its policy. */
const allByDefault = (match: MatchResources): MatchResources =>
  match.resourceRules?.length
    ? match
    : { ...match, resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] }

function kindMatched(match: MatchResources, attributes: AdmissionAttributes, { equivalents }: ConfigurationReader) {
  if (!matchesSelectors(match, attributes)) return undefined
  if (kindSeenBy(match.excludeResourceRules, match.matchPolicy, attributes, equivalents) !== undefined) return undefined
  return kindSeenBy(match.resourceRules, match.matchPolicy, attributes, equivalents)
}

/** A policy that cannot be evaluated. Its failurePolicy decides whether the request is refused. */
export class PolicyError extends Error {}

/** The parameters of a binding; `[undefined]` for a policy without parameters. Throws a PolicyError where required parameters are missing. */
export function paramsOf(
  { spec }: AnyPolicy,
  binding: PolicyBinding,
  attributes: AdmissionAttributes,
  reader: ConfigurationReader,
): readonly (KubernetesObject | null | undefined)[] {
  const paramKind = spec?.paramKind
  const reference = binding.spec?.paramRef
  if (paramKind === undefined || reference === undefined) return [undefined]
  const { apiVersion = '', kind: kindName = '' } = paramKind
  const kind = reader.findKind(apiVersion, kindName)
  if (kind === undefined)
    throw new PolicyError(`failed to configure binding: failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kindName}'`)
  const namespace = kind.namespaced ? reference.namespace || attributes.namespace : ''
  if (kind.namespaced && namespace === '')
    throw new PolicyError(
      'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  const requirements = reference.name ? undefined : selectorRequirements(reference.selector)
  const found = reader
    .list(kind, namespace)
    .filter((one) =>
      reference.name
        ? one.metadata?.name === reference.name
        : requirements !== undefined && matchesLabels(requirements, one.metadata?.labels),
    )
    .map((one) => ({ ...one, apiVersion, kind: kindName }))
  if (found.length > 0) return found
  if (reference.parameterNotFoundAction === 'Allow') return []
  throw new PolicyError('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction')
}

/** Evaluates the expressions of a policy for one request and parameter. */
export interface PolicyEvaluation {
  /** Throws an Error for an expression that cannot be compiled or fails. */
  evaluate(expression: string): unknown
}

export async function evaluatePolicy(
  { spec }: AnyPolicy,
  attributes: AdmissionAttributes,
  params: KubernetesObject | null | undefined,
  reader: ConfigurationReader,
): Promise<PolicyEvaluation> {
  const { compileExpression, createEvaluation } = await reader.expressions()
  const compiled = (expression: string): Program => reader.compiled(expression, () => compileExpression(expression))
  const programs = new Map((spec?.variables ?? []).map(({ name, expression }) => [name, compiled(expression)]))
  const run = createEvaluation(attributes, reader.authorizer, await perRequestBudget(), programs, params)
  return { evaluate: (expression) => run(compiled(expression)) }
}

/** Whether all match conditions are true. Throws a PolicyError where one fails and none is false. */
export function meetsConditions({ spec }: AnyPolicy, { evaluate }: PolicyEvaluation): boolean {
  const found = evaluateConditions(spec?.matchConditions, evaluate)
  if (typeof found === 'boolean') return found
  throw new PolicyError(found.map(({ expression, message }) => `expression '${expression}' resulted in error: ${message}`).join(', '))
}

interface ConditionFailure {
  readonly expression: string
  readonly message: string
}

/** Whether all match conditions are true, or the failures where some fail and none is false. */
export function evaluateConditions(
  conditions: readonly { readonly expression: string }[] | undefined,
  evaluate: (expression: string) => unknown,
): boolean | readonly ConditionFailure[] {
  const failures: ConditionFailure[] = []
  for (const { expression } of conditions ?? []) {
    try {
      if (evaluate(expression) !== true) return false
    } catch (error) {
      failures.push({ expression, message: (error as Error).message })
    }
  }
  return failures.length === 0 || failures
}
