// Which controllers of a cluster have something to do in a plan. The others would look on, in every run. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import { allObjects, type Plan } from './plan.ts'
import { templateOf } from './prepare.ts'

/** These are all that it takes to play Deployments. */
const always = new Set([
  'deployment-controller',
  'replicaset-controller',
  'default-scheduler',
  'pod-garbage-collector',
  'node-controller',
  'taint-eviction-controller',
  // What it makes for each namespace draws from the same chance as the pods.
  'root-ca-cert-publisher',
])

/** What there may be besides, and who works on it. */
const plainKinds = new Map<string, string | undefined>([
  ['Deployment', undefined],
  ['ReplicaSet', undefined],
  ['Namespace', undefined],
  ['ConfigMap', undefined],
  ['Secret', undefined],
  ['Service', undefined],
  ['ServiceAccount', undefined],
  ['LimitRange', undefined],
  ['PriorityClass', undefined],
  ['PodDisruptionBudget', 'controllermanager'],
])

/** Says of each controller whether it is needed: all of them, unless the plan is one of plain Deployments. */
export function neededControllers(plan: Plan): (name: string) => boolean {
  const { steps, autoscale } = plan
  const all = allObjects(plan).map(({ object }) => object)
  // What is deleted takes others with it, and what is looked at may be anything. When a node is left over shows at moments
  // at which somebody looks around.
  const isPlain = autoscale === undefined && !steps.some(({ action }) => action.type === 'delete' || action.type === 'check')
  if (!isPlain || !all.every((object) => plainKinds.has(object.kind ?? '') && !hasOwners(object) && !hasClaims(object))) return () => true
  const names = new Set([...always, ...all.map(({ kind }) => plainKinds.get(kind ?? ''))])
  return (name) => names.has(name)
}

/** Whose owner is not there, goes. */
const hasOwners = ({ metadata }: KubernetesObject) => metadata?.ownerReferences !== undefined

function hasClaims(object: KubernetesObject): boolean {
  const { volumes } = (templateOf(object)?.spec ?? {}) as { readonly volumes?: unknown }
  if (volumes === undefined || volumes === null) return false
  // Whatever it is, the server has a word for it.
  if (!Array.isArray(volumes)) return true
  return volumes.some(
    (volume: unknown) => typeof volume !== 'object' || volume === null || 'persistentVolumeClaim' in volume || 'ephemeral' in volume,
  )
}
