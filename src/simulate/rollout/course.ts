// Policies that come to the same thing: then one run tells of both. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import type { Plan } from './plan.ts'
import type { Policy } from './result.ts'

/**
 * The policy whose runs are those of `policy` too. To replace a pod as soon as it is told to go is what a rolling update
 * does without a policy; only Recreate makes a difference between the two.
 */
export function courseOf(plan: Plan, policy: Policy): Policy {
  const isSame = policy === 'TerminationStarted' && plan.policies.includes('None') && !tellsApart(plan)
  return isSame ? 'None' : policy
}

function tellsApart({ objects, steps }: Plan): boolean {
  const later = steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))
  if ([...objects, ...later].some(({ object }) => isRecreated(object))) return true
  return steps.some(
    ({ action, policies }) =>
      (policies !== undefined && policies.includes('None') !== policies.includes('TerminationStarted')) ||
      (action.type === 'check' && action.expected.some(({ path }) => !path.startsWith('status.') && path !== 'spec.replicas')),
  )
}

function isRecreated({ kind, spec }: KubernetesObject & { readonly spec?: { readonly strategy?: { readonly type?: string } } }): boolean {
  return kind === 'Deployment' && spec?.strategy?.type !== undefined && spec.strategy.type !== 'RollingUpdate'
}
