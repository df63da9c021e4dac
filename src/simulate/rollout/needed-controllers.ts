// Which controllers of a cluster have something to do in a plan. The others would look on, in every run. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import type { Plan } from './plan.ts'
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
export function neededControllers({ objects, steps, autoscale }: Plan): (name: string) => boolean {
  const later = steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))
  const all = [...objects, ...later].map(({ object }) => object)
  // What is deleted takes others with it, and what is looked at may be anything. When a node is left over shows at moments
  // at which somebody looks around.
  const isPlain = autoscale === undefined && !steps.some(({ action }) => action.type === 'delete' || action.type === 'check')
  if (!isPlain || !all.every((object) => plainKinds.has(object.kind ?? '') && !hasClaims(object))) return () => true
  const names = new Set([...always, ...all.map(({ kind }) => plainKinds.get(kind ?? ''))])
  return (name) => names.has(name)
}

function hasClaims(object: KubernetesObject): boolean {
  const { volumes = [] } = (templateOf(object)?.spec ?? {}) as { readonly volumes?: readonly object[] }
  return volumes.some((volume) => 'persistentVolumeClaim' in volume || 'ephemeral' in volume)
}
