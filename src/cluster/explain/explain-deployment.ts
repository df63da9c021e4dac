// What a Deployment waits for, and what happens next: by the planner of the Deployment controller, from the objects of any cluster. Pure.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, DeploymentPodReplacementPolicy, Pod, Stored } from '../../api/types.ts'
import { groupBy } from '../../base/maps.ts'
import { planDeployment } from '../../controllers/deployment/plan/deployment.ts'
import { describeReasons, type PlanReasons } from '../../controllers/deployment/plan/reasons.ts'
import { sortSets } from '../../controllers/deployment/plan/replica-sets.ts'
import type { DeploymentSnapshot } from '../../controllers/deployment/plan/snapshot.ts'
import { sortUncounted } from '../../controllers/deployment/plan/strays.ts'
import { isTerminal } from '../../controllers/shared/plan/pod-state.ts'
import { deletionText, failuresOf } from './explain-replica-set.ts'
import { type Explanation, explanationOf, podsText, type Surroundings } from './explanation.ts'

export function explainDeployment(deployment: Stored<Deployment>, surroundings: Surroundings): Explanation {
  const { nowMs, gates } = surroundings
  const snapshot = snapshotOf(deployment, surroundings)
  const plan = planDeployment(snapshot, nowMs)
  const { reasons, wait } = plan
  const own = [...snapshot.replicaSets.flatMap(({ metadata }) => snapshot.podsOf(metadata.uid) as readonly Stored<Pod>[])]
  const next = nextOf(plan)
  const { newSet, oldSets } = sortSets(deployment, snapshot.replicaSets)
  const isRolledOut = newSet?.spec?.replicas === reasons?.replicas && oldSets.every(({ spec }) => spec?.replicas === 0)
  const halt = haltOf(snapshot, plan, isRolledOut)
  const isPending = reasons?.scale === 'pending'
  const other =
    reasons?.policy === undefined && gates.DeploymentPodReplacementPolicy ? underTerminationComplete(snapshot, nowMs) : undefined
  const explanation = explanationOf(
    {
      kind: 'Deployment',
      object: deployment,
      observedGeneration: deployment.status?.observedGeneration ?? 0,
      account: reasons === undefined ? 'its selector is empty' : describeReasons(reasons),
      next,
      own: [...own, ...(snapshot.strays as readonly Stored<Pod>[])].filter((pod) => !isTerminal(pod)),
      minReadySeconds: deployment.spec?.minReadySeconds ?? 0,
      refusals: snapshot.replicaSets.flatMap((set) => failuresOf(set).map((failure) => `ReplicaSet ${set.metadata.name}: ${failure}`)),
      ...(halt !== undefined && { halt }),
      ...(isPending && { purpose: `a scale to ${reasons.replicas} is pending: ` }),
      waitsForTerminating: ({ unavailable }) => wait !== undefined || (!isRolledOut && next.length === 0 && unavailable.length === 0),
      complete: reasons?.isPaused ? 'it is complete and paused' : 'it is complete',
      isDone: isRolledOut,
    },
    surroundings,
  )
  return { ...explanation, ...(reasons !== undefined && { reasons }), ...(other !== undefined && { underTerminationComplete: other }) }
}

/** Why the controller does nothing, or waits for something other than its pods. */
function haltOf(
  { deployment, podsOf, replicaSets }: DeploymentSnapshot,
  { reasons, wait }: Plan,
  isRolledOut: boolean,
): string | undefined {
  if (reasons === undefined) return 'its selector is empty, so that it does nothing'
  if (deployment.metadata.deletionTimestamp !== undefined) return deletionText(deployment)
  if (reasons.isPaused && !isRolledOut) return 'it is paused in the middle of a rollout: kubectl rollout resume continues it'
  if (wait?.deletedSet === undefined) return undefined
  const set = replicaSets.find(({ metadata }) => metadata.name === wait.deletedSet)
  const kept = set === undefined ? 0 : podsOf(set.metadata.uid).length
  return `it waits for the deletion of ReplicaSet ${wait.deletedSet}${kept > 0 ? `, which waits for ${podsText(kept)}` : ''}`
}

function snapshotOf(deployment: Stored<Deployment>, { replicaSets, pods, gates }: Surroundings): DeploymentSnapshot {
  const own = replicaSets.filter((set) => controllerOf(set)?.uid === deployment.metadata.uid)
  const byOwner = groupBy(pods, (pod) => controllerOf(pod)?.uid)
  const uids = new Set(replicaSets.map(({ metadata }) => metadata.uid))
  const podsOf = (uid: string) => byOwner.get(uid) ?? []
  return {
    deployment,
    replicaSets: own,
    podsOf,
    podCountOf: (uid) => podsOf(uid).length,
    deletedPodsOf: (uid) => podsOf(uid).filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ...sortUncounted(
      deployment,
      pods.filter((pod) => !uids.has(controllerOf(pod)?.uid ?? '')),
    ),
    gates,
    countTerminatingPods: own.some(({ status }) => status?.terminatingReplicas === undefined),
  }
}

type Plan = ReturnType<typeof planDeployment>

const nextOf = ({ actions, reasons }: Plan): readonly string[] => actions.flatMap((action) => nextText(action, reasons) ?? [])

function nextText(action: Plan['actions'][number], reasons: PlanReasons | undefined): string | undefined {
  if (action.action === 'update-deployment') return 'roll the template back'
  const { metadata, spec } = action.replicaSet
  const name = metadata?.name ?? ''
  if (action.action === 'create-set') return `create ReplicaSet ${name} with ${spec?.replicas ?? 1} replicas`
  if (action.action === 'delete-set') return `delete ReplicaSet ${name}, which is beyond revisionHistoryLimit`
  const size = reasons?.sizes.find((one) => one.name === name)
  return size && `scale ReplicaSet ${name} from ${size.before} to ${size.after}`
}

function underTerminationComplete(snapshot: DeploymentSnapshot, nowMs: number): Explanation['underTerminationComplete'] {
  const policy: DeploymentPodReplacementPolicy = 'TerminationComplete'
  const deployment = { ...snapshot.deployment, spec: { ...snapshot.deployment.spec!, podReplacementPolicy: policy } }
  const plan = planDeployment({ ...snapshot, deployment }, nowMs)
  if (plan.reasons === undefined) return undefined
  const { replicas, surge } = plan.reasons
  const existing = snapshot.replicaSets.flatMap(({ metadata }) => snapshot.podsOf(metadata.uid))
  const admitted = [...existing, ...snapshot.strays].filter((pod) => !isTerminal(pod) && (pod.spec?.schedulingGates ?? []).length === 0)
  const admittedByPacer = Math.max(0, replicas + surge - admitted.length)
  return { account: describeReasons(plan.reasons), next: nextOf(plan), admittedByPacer }
}
