// Evaluates the pod failure policy and the success policy of a Job.
// Kubernetes: pkg/controller/job.matchPodFailurePolicy, matchOnExitCodes, matchOnPodConditions, matchSuccessPolicy
// Kubernetes: pkg/controller/job.matchSucceededIndexesRule
import type { Job, Pod } from '../../../api/types.ts'
import { countCommon, countOf, type Indexes, parseIndexes } from './indexes.ts'

type JobSpec = NonNullable<Job['spec']>
type ExitCodes = NonNullable<NonNullable<JobSpec['podFailurePolicy']>['rules'][number]['onExitCodes']>

export interface FailureDecision {
  /** Why the whole Job fails, if it does. */
  readonly failJob?: string
  /** Whether the failure counts against the backoff limits. */
  readonly counts: boolean
  readonly action?: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count'
}

const counted: FailureDecision = { counts: true }

/** The first rule that matches decides. */
export function judgeFailure(policy: JobSpec['podFailurePolicy'], pod: Pod): FailureDecision {
  for (const [index, { action, onExitCodes, onPodConditions }] of (policy?.rules ?? []).entries()) {
    const what = onExitCodes !== undefined ? matchExitCodes(onExitCodes, pod) : matchConditions(onPodConditions ?? [], pod)
    if (what === undefined) continue
    if (action === 'Ignore') return { counts: false, action }
    if (action === 'FailJob') return { counts: true, action, failJob: `${what} matching ${action} rule at index ${index}` }
    if (action === 'FailIndex' || action === 'Count') return { counts: true, action }
  }
  return counted
}

function matchExitCodes({ containerName, operator, values }: ExitCodes, { metadata, status }: Pod): string | undefined {
  for (const { name, state } of [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]) {
    const exitCode = state?.terminated?.exitCode
    if (exitCode === undefined || exitCode === 0 || (containerName !== undefined && containerName !== name)) continue
    const listed = values.includes(exitCode)
    if (operator === 'In' ? listed : operator === 'NotIn' && !listed)
      return `Container ${name} for pod ${metadata?.namespace}/${metadata?.name} failed with exit code ${exitCode}`
  }
  return undefined
}

function matchConditions(patterns: readonly { readonly type: string; readonly status?: string }[], pod: Pod): string | undefined {
  for (const { type, status } of pod.status?.conditions ?? [])
    if (patterns.some((pattern) => pattern.type === type && pattern.status === status))
      return `Pod ${pod.metadata?.namespace}/${pod.metadata?.name} has condition ${type}`
  return undefined
}

/** Why the success policy is met, or undefined. */
export function judgeSuccess(policy: JobSpec['successPolicy'], completions: number, succeeded: Indexes): string | undefined {
  if (policy === undefined || succeeded.length === 0) return undefined
  for (const [index, { succeededIndexes, succeededCount }] of policy.rules.entries()) {
    const matched = `Matched rules at index ${index}`
    if (succeededIndexes === undefined) {
      if (succeededCount !== undefined && countOf(succeeded) >= succeededCount) return matched
      continue
    }
    const required = parseIndexes(succeededIndexes, completions)
    if (required.length === 0) continue
    const common = countCommon(required, succeeded)
    if (common === countOf(required) || (succeededCount !== undefined && common >= succeededCount)) return matched
  }
  return undefined
}
