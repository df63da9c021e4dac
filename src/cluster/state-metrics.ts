// What kube-state-metrics would report of terminating pods (KEP-3973, KEP-3939), waits (KEP-5882) and conditions (KEP-2804),
// and which feature gates are on. Read from the informers at every scrape.

import { daemonSets, deployments, jobs, pods, replicaSets, replicationControllers, statefulSets } from '../api/kinds.ts'
import { type FeatureGates, featureGates } from '../api/machinery/feature-gates.ts'
import type { Kind } from '../api/machinery/kind.ts'
import type { Deployment, KubernetesObject, Pod, ReplicaSet, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import { DeletedSets } from '../controllers/deployment/deleted-sets.ts'
import { accountOf } from '../controllers/deployment/plan/capacity.ts'
import { withStuck } from '../controllers/deployment/plan/deployment.ts'
import { sortSets } from '../controllers/deployment/plan/replica-sets.ts'
import { replicasOwed } from '../controllers/deployment/plan/scale-state.ts'
import { settingsOf } from '../controllers/deployment/plan/settings.ts'
import { findTerminationWait } from '../controllers/deployment/plan/termination-wait.ts'
import type { Informer } from '../runtime/informer.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'

interface StateMetricsOptions {
  readonly informers: SharedInformers
  readonly gates: FeatureGates
  readonly clock: Clock
}

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

function gauge(name: string, help: string, samples: Iterable<Sample>): string {
  let text = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
  for (const [labels, value] of samples) {
    const pairs = Object.entries(labels).map(([key, label]) => `${key}=${JSON.stringify(label)}`)
    text += `${name}{${pairs.join(',')}} ${value}\n`
  }
  return text
}

/** Objects without a value, because the gate is off or no controller has reported it yet, have no sample. */
function* valuesOf<T extends KubernetesObject>(
  informer: Informer<T> | undefined,
  label: string,
  read: (object: Stored<T>) => number | undefined,
): Iterable<Sample> {
  for (const object of informer?.values() ?? []) {
    const value = read(object)
    if (value !== undefined) yield [{ namespace: object.metadata.namespace ?? '', [label]: object.metadata.name }, value]
  }
}

/** The kinds that have conditions, with the label that names an object of the kind. */
const conditionKinds: readonly (readonly [label: string, kind: Kind])[] = [
  ['deployment', deployments],
  ['replicaset', replicaSets],
  ['replicationcontroller', replicationControllers],
  ['statefulset', statefulSets],
  ['daemonset', daemonSets],
  ['job', jobs],
]

interface Conditioned extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

function* conditionsOf(informer: Informer<KubernetesObject> | undefined, label: string): Iterable<Sample> {
  for (const { metadata, status } of (informer?.values() ?? []) as Iterable<Stored<Conditioned>>)
    for (const condition of status?.conditions ?? [])
      for (const value of ['True', 'False', 'Unknown']) {
        const object = { namespace: metadata.namespace ?? '', [label]: metadata.name }
        yield [{ ...object, condition: condition.type, status: value.toLowerCase() }, condition.status === value ? 1 : 0]
      }
}

export function stateMetrics({ informers, gates, clock }: StateMetricsOptions): () => string {
  const sets: Informer<ReplicaSet> = informers.get(replicaSets)
  const owners: Informer<Deployment> = informers.get(deployments)
  const podCache: Informer<Pod> = informers.get(pods)
  /** From the first scrape on. */
  let deletedSets: DeletedSets | undefined
  const readUncounted = (deployment: Stored<Deployment>) => {
    if (deletedSets === undefined) {
      deletedSets = new DeletedSets(informers)
      deletedSets.start()
    }
    return deletedSets.uncountedOf(deployment)
  }

  /** How long the Deployment has waited for the terminating pod that holds it up longest; undefined where it waits for none. */
  const readWaitSeconds = (deployment: Stored<Deployment>): number | undefined => {
    const settings = settingsOf(deployment, gates)
    if (settings.policy === undefined) return undefined
    const own = sets.byIndex('owner', deployment.metadata.uid)
    const podsOf = (uid: string) => podCache.byIndex('owner', uid)
    const deletedPodsOf = (uid: string) => podCache.byIndex('deleted', uid)
    const podCountOf = (uid: string) => podCache.countByIndex('owner', uid)
    const pods = { podsOf, podCountOf, deletedPodsOf, ...readUncounted(deployment) }
    const snapshot = withStuck({ deployment, replicaSets: own, ...pods, gates }, settings, clock.now())
    const { newSet } = sortSets(deployment, own)
    const wait = findTerminationWait({
      snapshot,
      settings,
      account: accountOf(snapshot, own),
      sets: own,
      newSet,
      status: deployment.status,
    })
    return wait?.sinceMs === undefined ? undefined : Math.max(0, (clock.now() - wait.sinceMs) / 1000)
  }

  return () =>
    [
      gauge(
        'kube_replicaset_status_terminating_replicas',
        'The number of terminating replicas per ReplicaSet.',
        valuesOf(sets, 'replicaset', ({ status }) => status?.terminatingReplicas),
      ),
      gauge(
        'kube_deployment_status_replicas_terminating',
        'The number of terminating replicas per deployment.',
        valuesOf(owners, 'deployment', ({ status }) => status?.terminatingReplicas),
      ),
      gauge(
        'kube_job_status_terminating',
        'The number of terminating pods per Job.',
        valuesOf(informers.find(jobs), 'job_name', ({ status }) => status?.terminating),
      ),
      gauge(
        'rollcall_deployment_pending_scale_replicas',
        'The number of replicas that a pending scale has not added yet.',
        valuesOf(owners, 'deployment', (deployment) => replicasOwed(deployment, sets.byIndex('owner', deployment.metadata.uid))),
      ),
      gauge(
        'rollcall_deployment_termination_wait_seconds',
        'How long a rollout or scale has waited for its longest terminating pod.',
        valuesOf(owners, 'deployment', readWaitSeconds),
      ),
      ...conditionKinds.map(([label, kind]) =>
        gauge(`kube_${label}_status_condition`, `The conditions of each ${kind.kind}.`, conditionsOf(informers.find(kind), label)),
      ),
      gauge(
        'kubernetes_feature_enabled',
        'Whether a feature gate is on.',
        Object.entries(featureGates).map(
          ([name, { stage }]): Sample => [{ name, stage: stage === 'GA' ? '' : stage }, gates[name as keyof FeatureGates] ? 1 : 0],
        ),
      ),
    ].join('')
}
