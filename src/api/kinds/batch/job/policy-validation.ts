// The pod failure policy, the success policy and the pod replacement policy of a Job.
// Kubernetes: pkg/apis/batch/validation.validatePodFailurePolicy, validatePodFailurePolicyRule, validatePodFailurePolicyRuleOnExitCodes
// Kubernetes: pkg/apis/batch/validation.validatePodFailurePolicyRuleOnPodConditions, validateSuccessPolicy, validateSuccessPolicyRule
// Kubernetes: pkg/apis/batch/validation.validatePodReplacementPolicy
import { duplicate, type FieldError, invalid, omitted, required, tooLong, tooMany, typed } from '../../../machinery/field-error.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { addEnumErrors, addUnsupported, enumOf } from '../../../machinery/validation/enums.ts'
import { isLongerThan, isQualifiedName } from '../../../machinery/validation/names.ts'
import type { Job } from '../../../types.ts'
import { countIndexes } from './indexes.ts'

export type JobSpec = NonNullable<Job['spec']>
type FailureRule = NonNullable<JobSpec['podFailurePolicy']>['rules'][number]
type SuccessRule = NonNullable<JobSpec['successPolicy']>['rules'][number]

const actions = enumOf('batch.PodFailurePolicyRule.action')
const operators = enumOf('batch.PodFailurePolicyOnExitCodesRequirement.operator')
const conditionStatuses = ['False', 'True', 'Unknown']

/** A Go list of strings, as `%q` prints it. */
const quotedList = (values: readonly string[]) => `valid values: [${values.map((value) => `"${value}"`).join(' ')}]`

export function addFailurePolicyErrors(errors: FieldError[], spec: JobSpec, path: string): void {
  const rules = spec.podFailurePolicy?.rules ?? []
  if (rules.length > 20) errors.push(tooMany(`${path}.rules`, rules.length, 20))
  const pod = spec.template?.spec
  const containers = new Set([...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ name }) => name))
  for (const [index, rule] of rules.entries()) addFailureRuleErrors(errors, spec, rule, containers, `${path}.rules[${index}]`)
}

function addFailureRuleErrors(errors: FieldError[], spec: JobSpec, rule: FailureRule, containers: ReadonlySet<string>, path: string): void {
  const { action, onExitCodes, onPodConditions = [] } = rule
  if (!action) errors.push(required(`${path}.action`, quotedList(actions)))
  else if (action === 'FailIndex') {
    if (spec.backoffLimitPerIndex === undefined)
      errors.push(invalid(`${path}.action`, typed(action), 'requires the backoffLimitPerIndex to be set'))
  } else addUnsupported(errors, action, actions, `${path}.action`)
  if (onExitCodes) addExitCodeErrors(errors, onExitCodes, containers, `${path}.onExitCodes`)
  if (onPodConditions.length > 0) addPodConditionErrors(errors, onPodConditions, `${path}.onPodConditions`)
  if (onExitCodes && onPodConditions.length > 0)
    errors.push(invalid(path, omitted, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!onExitCodes && onPodConditions.length === 0)
    errors.push(invalid(path, omitted, 'specifying one of OnExitCodes and OnPodConditions is required'))
}

function addPodConditionErrors(errors: FieldError[], patterns: NonNullable<FailureRule['onPodConditions']>, path: string): void {
  if (patterns.length > 20) errors.push(tooMany(path, patterns.length, 20))
  for (const [index, { type = '', status }] of patterns.entries()) {
    for (const message of isQualifiedName(type)) errors.push(invalid(`${path}[${index}].type`, type, message))
    addEnumErrors(errors, status, conditionStatuses, () => `${path}[${index}].status`, quotedList(conditionStatuses))
  }
}

function addExitCodeErrors(
  errors: FieldError[],
  { operator, containerName, values: asked }: NonNullable<FailureRule['onExitCodes']>,
  containers: ReadonlySet<string>,
  path: string,
): void {
  addEnumErrors(errors, operator, operators, () => `${path}.operator`, quotedList(operators))
  if (containerName !== undefined && !containers.has(containerName))
    errors.push(invalid(`${path}.containerName`, containerName, 'must be one of the container or initContainer names in the pod template'))
  const values = asked ?? []
  const valuesPath = `${path}.values`
  if (values.length === 0) errors.push(invalid(valuesPath, asked ?? null, 'at least one value is required'))
  else if (values.length > 255) errors.push(tooMany(valuesPath, values.length, 255))
  const seen = new Set<number>()
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) errors.push(invalid(`${valuesPath}[${index}]`, value, 'must not be 0 for the In operator'))
    if (seen.has(value)) errors.push(duplicate(`${valuesPath}[${index}]`, value))
    seen.add(value)
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value))
    errors.push(invalid(valuesPath, values, 'must be ordered'))
}

export function addSuccessPolicyErrors(errors: FieldError[], spec: JobSpec, path: string): void {
  const rules = spec.successPolicy?.rules ?? []
  if (rules.length === 0) errors.push(required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified'))
  if (rules.length > 20) errors.push(tooMany(`${path}.rules`, rules.length, 20))
  for (const [index, rule] of rules.entries()) addSuccessRuleErrors(errors, rule, spec.completions, `${path}.rules[${index}]`)
}

// An Indexed Job without completions is refused elsewhere; there is then nothing to compare with.
function addSuccessRuleErrors(errors: FieldError[], rule: SuccessRule, completions = 0, path: string): void {
  const { succeededIndexes, succeededCount } = rule
  if (succeededIndexes === undefined && succeededCount === undefined)
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'))
  let total = 0
  if (succeededIndexes !== undefined) {
    if (isLongerThan(succeededIndexes, 65536)) errors.push(tooLong(`${path}.succeededIndexes`, 65536))
    const count = countIndexes(succeededIndexes, completions)
    if (typeof count === 'number') total = count
    else errors.push(invalid(`${path}.succeededIndexes`, succeededIndexes, `error parsing succeededIndexes: ${count}`))
  }
  if (succeededCount === undefined) return
  const most = (limit: number, what: string) =>
    invalid(`${path}.succeededCount`, succeededCount, `must be less than or equal to ${limit} (the number of ${what})`)
  addNegative(errors, succeededCount, `${path}.succeededCount`)
  if (succeededCount > completions) errors.push(most(completions, 'specified completions'))
  if (succeededIndexes !== undefined && succeededCount > total) errors.push(most(total, 'indexes in the specified succeededIndexes field'))
}

/** podReplacementPolicy, and the draft's name for it: terminatingAsActive is true for Failed and false for TerminatingOrFailed. */
export function addReplacementPolicyErrors(errors: FieldError[], spec: JobSpec, path: string): void {
  const policy: string | undefined = spec.podReplacementPolicy
  if (policy === undefined) return
  const allowed = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  addUnsupported(errors, policy, allowed, `${path}.podReplacementPolicy`)
  const { terminatingAsActive } = spec
  const meant = terminatingAsActive === undefined ? policy : terminatingAsActive ? 'Failed' : 'TerminatingOrFailed'
  if (policy !== meant && (policy === 'Failed' || policy === 'TerminatingOrFailed'))
    errors.push(
      invalid(
        `${path}.terminatingAsActive`,
        terminatingAsActive,
        `may not be ${terminatingAsActive} when podReplacementPolicy is '${policy}'`,
      ),
    )
}
