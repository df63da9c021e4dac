// One sync of the Deployment controller: the shipped planner, and what `writer.ts` makes of its plan.
//
// Memoised by what the caches show, without the names of pods: the plan depends on nothing else.
import { defaultFeatureGates, type FeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerReference } from '../../api/machinery/owners.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { planDeployment } from '../../controllers/deployment/plan/deployment.ts'
import { templateHashLabel } from '../../controllers/deployment/plan/replica-sets.ts'
import type { DeploymentPlan, DeploymentSnapshot } from '../../controllers/deployment/plan/snapshot.ts'
import { leavesStatus } from '../../controllers/deployment/plan/status-writes.ts'
import { sortUncounted } from '../../controllers/deployment/plan/strays.ts'
import type { Interner } from '../interner.ts'
import { findPlanProblem } from './plan-problems.ts'
import {
  absent,
  type DeploymentRecord,
  deploymentOf,
  hashes,
  never,
  nowMs,
  recordOfDeployment,
  recordOfSet,
  replicaSetOf,
  type SetRecord,
  type Shape,
  setNames,
  stays,
  uidOf,
} from './records.ts'
import { gone, podOwner, podState, podTemplate, ready, terminating, visiblePod } from './state.ts'

export interface PlannedWrite {
  readonly verb: 'create' | 'update' | 'delete'
  readonly template: number
  /** The ReplicaSet after the write. A new one gets its age and incarnation from the world. */
  readonly set: number
}

interface DeploymentStep {
  readonly writes: readonly PlannedWrite[]
  /** The Deployment with its new status; 0 if it is not written. */
  readonly deployment: number
  readonly needsAllPods: boolean
  readonly problem: string | undefined
}

export interface Records {
  readonly deployments: Interner<DeploymentRecord>
  readonly sets: Interner<SetRecord>
}

/** KEP-2804 changes no size and no rollout. */
export const gates: FeatureGates = { ...defaultFeatureGates, ExtendedWorkloadConditions: false }

export class DeploymentSteps {
  readonly #shape: Shape
  readonly #records: Records
  readonly #known = new Map<string, DeploymentStep>()
  readonly #deployments = new Map<number, Stored<Deployment>>()
  readonly #sets = new Map<number, Stored<ReplicaSet>>()

  constructor(shape: Shape, records: Records) {
    this.#shape = shape
    this.#records = records
  }

  /** `pods`: the cached ones, sorted. */
  plan(deployment: number, sets: readonly number[], pods: readonly number[]): DeploymentStep {
    let key = String.fromCharCode(deployment & 0xffff, deployment >> 16)
    for (const set of sets) key += String.fromCharCode(set & 0xffff, set >> 16)
    for (const pod of pods) if (pod !== gone) key += String.fromCharCode(visiblePod(pod))
    let step = this.#known.get(key)
    if (step === undefined) {
      step = this.#plan(deployment, sets, pods.filter((pod) => pod !== gone).map(visiblePod))
      this.#known.set(key, step)
    }
    return step
  }

  #plan(deploymentId: number, sets: readonly number[], pods: readonly number[]): DeploymentStep {
    const before = this.#records.deployments.get(deploymentId)
    const snapshot = this.#snapshotOf(deploymentId, sets, pods)
    let plan: DeploymentPlan
    try {
      plan = planDeployment(snapshot, nowMs)
    } catch (error) {
      return { writes: [], deployment: 0, needsAllPods: false, problem: `the planner of Deployments fails: ${String(error)}` }
    }
    const writes: PlannedWrite[] = []
    for (const action of plan.actions) {
      if (action.action === 'update-deployment') continue
      const { replicaSet } = action
      const template = setNames.indexOf(replicaSet.metadata?.name ?? '')
      if (action.action === 'delete-set') writes.push({ verb: 'delete', template, set: 0 })
      else {
        const set = this.#records.sets.idOf(
          recordOfSet(replicaSet, sets[template] ? this.#records.sets.get(sets[template]!) : newSet(template)),
        )
        if (action.action === 'create-set') writes.push({ verb: 'create', template, set })
        else if (set !== sets[template]) writes.push({ verb: 'update', template, set })
      }
    }
    const status = plan.status === undefined || leavesStatus(plan, snapshot.deployment) ? undefined : plan.status
    const deployment = status === undefined ? 0 : this.#records.deployments.idOf(recordOfDeployment(status, before))
    return {
      writes,
      deployment: deployment === deploymentId ? 0 : deployment,
      needsAllPods: plan.needsAllPods === true,
      problem: findPlanProblem(snapshot, plan),
    }
  }

  #snapshotOf(deploymentId: number, setIds: readonly number[], pods: readonly number[]): DeploymentSnapshot {
    const deployment = this.#deploymentOf(deploymentId)
    const replicaSets = setIds.filter((id) => id !== 0).map((id) => this.#setOf(id))
    const objects = pods.map(podObject)
    const uids = new Set(replicaSets.map(({ metadata }) => metadata.uid))
    const ownerOf = (pod: Stored<Pod>) => pod.metadata.ownerReferences?.[0]?.uid ?? ''
    const podsOf = (uid: string) => objects.filter((pod) => ownerOf(pod) === uid)
    return {
      deployment,
      replicaSets,
      podsOf,
      podCountOf: (uid) => podsOf(uid).length,
      deletedPodsOf: (uid) => podsOf(uid).filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
      // `deleted-sets.ts`: the pods of ReplicaSets that the cache does not have, and those without a controller.
      ...sortUncounted(
        deployment,
        objects.filter((pod) => !uids.has(ownerOf(pod))),
      ),
      gates,
    }
  }

  #deploymentOf(id: number): Stored<Deployment> {
    let object = this.#deployments.get(id)
    if (object === undefined) {
      object = deploymentOf(this.#records.deployments.get(id), this.#shape)
      this.#deployments.set(id, object)
    }
    return object
  }

  #setOf(id: number): Stored<ReplicaSet> {
    let object = this.#sets.get(id)
    if (object === undefined) {
      object = replicaSetOf(this.#records.sets.get(id))
      this.#sets.set(id, object)
    }
    return object
  }
}

const newSet = (template: number): SetRecord => ({
  template,
  incarnation: 0,
  age: 0,
  deletion: stays,
  asActive: 0,
  size: 0,
  desired: absent,
  max: absent,
  before: absent,
  unreported: absent,
  revision: 0,
  observed: never,
  pods: 0,
  ready: 0,
  terminating: 0,
  hasFailure: 0,
})

const readyConditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(nowMs - 60_000) }]

/** Pods of one state differ in their names only; `index` orders them. */
export function podObject(pod: number, index: number): Stored<Pod> {
  const template = podTemplate(pod)
  const owner = podOwner(pod)
  const state = podState(pod)
  const name = `pod-${100 + index}`
  const uid = uidOf(template, owner)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'n',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: formatTime(nowMs - 60_000),
      labels: { app: 'x', [templateHashLabel]: hashes[template]! },
      ...(owner !== 0 && {
        ownerReferences: [
          controllerReference('apps/v1', 'ReplicaSet', { metadata: { name: setNames[template]!, uid } } as Stored<ReplicaSet>),
        ],
      }),
      ...(state === terminating && { deletionTimestamp: formatTime(nowMs), deletionGracePeriodSeconds: 30 }),
    },
    spec: { nodeName: 'node' },
    status: { phase: 'Running', ...(state === ready && { conditions: readyConditions }) },
  } as unknown as Stored<Pod>
}
