// ValidatingAdmissionPolicies.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/validating.dispatcher.Dispatch, validator.Validate, reasonToCode
import { forbiddenError, StatusError } from '../../../api/machinery/status-error.ts'
import type { ValidatingAdmissionPolicy } from '../../../api/types.ts'
import { type AdmissionAttributes, shownName } from './attributes.ts'
import type { ConfigurationReader } from './configuration-reader.ts'
import { requestFor } from './equivalent-requests.ts'
import {
  type BoundPolicy,
  bindingApplies,
  evaluatePolicy,
  kindSeenByPolicy,
  meetsConditions,
  type PolicyBinding,
  type PolicyEvaluation,
  paramsOf,
} from './policies.ts'

interface Failure {
  readonly message: string
  readonly reason: string
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413 }

/** Throws the StatusError of the first failure whose binding says Deny. */
export async function validateByPolicies(
  policies: readonly BoundPolicy<ValidatingAdmissionPolicy>[],
  attributes: AdmissionAttributes,
  reader: ConfigurationReader,
): Promise<void> {
  let refused: StatusError | undefined
  for (const { policy, bindings } of policies)
    for (const binding of bindings) {
      if (!bindingApplies(binding, attributes, reader)) continue
      const actions = binding.spec?.validationActions ?? []
      const about = `ValidatingAdmissionPolicy '${policy.metadata?.name}' with binding '${binding.metadata?.name}'`
      const seen = await requestFor(kindSeenByPolicy(policy, attributes, reader)!, attributes)
      const { failures, isError } = await findFailures(policy, binding, seen, reader)
      for (const failure of failures) {
        if (isError || actions.includes('Deny'))
          refused ??= denial(attributes, `${about} denied request: ${failure.message}`, failure.reason)
        if (!isError && actions.includes('Warn')) attributes.warn?.(`Validation failed for ${about}: ${failure.message}`)
      }
    }
  if (refused !== undefined) throw refused
}

/** `isError`: the policy could not be evaluated, and its failure policy says Fail. */
async function findFailures(
  policy: ValidatingAdmissionPolicy,
  binding: PolicyBinding,
  attributes: AdmissionAttributes,
  reader: ConfigurationReader,
): Promise<{ readonly failures: readonly Failure[]; readonly isError: boolean }> {
  const isStrict = policy.spec?.failurePolicy !== 'Ignore'
  const failures: Failure[] = []
  try {
    for (const params of paramsOf(policy, binding, attributes, reader)) {
      const evaluation = await evaluatePolicy(policy, attributes, params, reader)
      if (!meetsConditions(policy, evaluation)) continue
      for (const validation of policy.spec?.validations ?? []) {
        const failure = check(validation, evaluation, isStrict)
        if (failure !== undefined) failures.push(failure)
      }
    }
    return { failures, isError: false }
  } catch (error) {
    if (!isStrict) return { failures: [], isError: false }
    return { failures: [{ message: (error as Error).message, reason: 'Invalid' }], isError: true }
  }
}

type Validation = NonNullable<NonNullable<ValidatingAdmissionPolicy['spec']>['validations']>[number]

function check(
  { expression, message, messageExpression, reason }: Validation,
  { evaluate }: PolicyEvaluation,
  isStrict: boolean,
): Failure | undefined {
  const because = reason || 'Invalid'
  try {
    if (evaluate(expression) === true) return undefined
  } catch (error) {
    return isStrict ? { message: `expression '${expression}' resulted in error: ${(error as Error).message}`, reason: because } : undefined
  }
  const fixed = message?.trim() || `failed expression: ${expression.trim()}`
  return { message: messageOf(messageExpression, fixed, evaluate), reason: because }
}

/** A message that cannot be computed, or is empty or has line breaks, is replaced by the fixed one. */
function messageOf(expression: string | undefined, fixed: string, evaluate: PolicyEvaluation['evaluate']): string {
  if (!expression) return fixed
  try {
    const text = evaluate(expression)
    const isUsable = typeof text === 'string' && text.trim() !== '' && !text.includes('\n') && text.length <= 5 * 1024
    return isUsable ? text.trim() : fixed
  } catch {
    return fixed
  }
}

export function denial(attributes: AdmissionAttributes, message: string, reason: string): StatusError {
  const { status } = forbiddenError(attributes.resource, shownName(attributes), message)
  return new StatusError({ ...status, reason, code: codes[reason] ?? 422, details: { ...status.details, causes: [{ message }] } })
}
