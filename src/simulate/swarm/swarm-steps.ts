// Does to a cluster what a step of a swarm run says.
import { apiVersionOf } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import type { KindName, TestCluster } from '../library/cluster-api.ts'
import { kindNamed } from '../objects.ts'
import type { SwarmPlan, SwarmStep } from './swarm-plan.ts'
import { policyAnnotations } from './swarm-specs.ts'

const hangAnnotation = 'rollcall.dev/hang'
const taintKey = 'swarm'

/** A step of a user may come too late, or be refused, for example by a quota; that is not a failure of the cluster. */
export async function applyStep(cluster: TestCluster, step: SwarmStep): Promise<void> {
  try {
    await applyAction(cluster, step)
  } catch (error) {
    if (!['NotFound', 'TooManyRequests', 'Invalid', 'Conflict', 'Forbidden'].some((reason) => isStatusError(error, reason))) throw error
  }
}

async function applyAction(cluster: TestCluster, step: SwarmStep): Promise<unknown> {
  switch (step.do) {
    case 'apply': {
      const { name, spec, annotations } = step
      const kind = kindNamed(step.kind)
      const metadata = { name, ...(annotations && { annotations }) }
      return cluster.apply({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec })
    }
    case 'twin':
      return applyTwin(cluster, step.name, step.of)
    case 'canary':
      return applyTwin(cluster, step.name, step.of, { track: 'canary' })
    case 'bare pod': {
      const annotations = { 'rollcall.dev/stop-delay': step.stopDelay }
      const spec = { containers: [{ name: 'c', image: 'app:1' }] }
      return cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: step.name, labels: { app: step.of }, annotations }, spec })
    }
    case 'autoscale': {
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: step.name }
      const spec = { scaleTargetRef, minReplicas: step.min, maxReplicas: step.max }
      return cluster.apply({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: step.name }, spec })
    }
    case 'roll back':
      return cluster.patch('deployment', step.name, {
        metadata: { annotations: { 'deprecated.deployment.rollback.to': String(step.revision) } },
      })
    case 'scale':
      return cluster.scale(step.kind, step.name, step.replicas)
    case 'image': {
      const metadata = step.startDelay !== undefined && { metadata: { annotations: { 'rollcall.dev/start-delay': step.startDelay } } }
      const patch = { spec: { template: { ...metadata, spec: { containers: [{ name: 'c', image: step.image }] } } } }
      return cluster.patch(step.kind, step.name, patch, { type: 'strategic' })
    }
    case 'undo':
      return undo(cluster, step.name, step.isOldKubectl)
    case 'policy':
      return cluster.patch(
        'deployment',
        step.name,
        step.asAnnotations
          ? { spec: { podReplacementPolicy: null, terminatingAsActive: null }, metadata: { annotations: policyAnnotations(step.policy) } }
          : { spec: step.policy },
      )
    case 'strategy':
      return cluster.patch('deployment', step.name, { spec: { strategy: step.strategy } })
    case 'edit':
      return cluster.patch('deployment', step.name, step.patch, { type: 'strategic' })
    case 'annotate':
      return cluster.patch('deployment', step.name, { metadata: { annotations: { note: step.value } } })
    case 'hold':
    case 'go on':
      return applyHold(cluster, step.kind, step.name, step.do === 'hold')
    case 'budget': {
      const spec = { maxUnavailable: step.maxUnavailable, selector: { matchLabels: { app: step.name } } }
      return cluster.apply({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: step.name }, spec })
    }
    case 'quota':
      return applyQuota(cluster, step.pods)
    case 'delete':
      return cluster.delete(step.kind, step.name, { propagationPolicy: step.propagation })
    case 'delete pod':
    case 'evict pod': {
      const name = await pickName(cluster, 'pod', step.pick)
      if (name === undefined) return
      return step.do === 'evict pod' ? cluster.evict(name) : cluster.delete('pod', name)
    }
    case 'delete set': {
      const owned = (await cluster.list('replicaset')).filter(({ metadata }) => metadata.ownerReferences !== undefined)
      const name = owned[step.pick % Math.max(1, owned.length)]?.metadata.name
      return name === undefined ? undefined : cluster.delete('replicaset', name, { propagationPolicy: step.propagation })
    }
    case 'stick pod': {
      const name = await pickName(cluster, 'pod', step.pick)
      if (name === undefined) return
      await cluster.patch('pod', name, { metadata: { annotations: { [hangAnnotation]: 'true' } } })
      return step.isDeleted ? cluster.delete('pod', name) : undefined
    }
    case 'release pods':
      return releasePods(cluster)
    case 'drop count': {
      const name = await pickName(cluster, step.kind, step.pick)
      const status = { terminatingReplicas: null }
      return name === undefined ? undefined : cluster.patch(step.kind, name, { status }, { subresource: 'status' })
    }
    case 'restart controllers':
      await cluster.stopControllers()
      return cluster.startControllers()
    case 'crash controllers':
      await cluster.crashControllers()
      return cluster.startControllers()
    case 'start pacer':
      return cluster.startPacer()
    case 'start second pacer':
      return cluster.startPacer({ elects: false })
    case 'stop pacers':
      return cluster.stopPacers()
    case 'crash pacers':
      return cluster.crashPacers()
    case 'slow pacer':
      return cluster.delayPacer({ calls: step.callsMs, watches: step.watchesMs })
    case 'fail pacer writes':
      return cluster.failPacerWrites(step.count, { applied: step.applied })
    case 'fail writes':
      return cluster.failNextWrites(step.count, { applied: step.applied })
    case 'slow down':
      return cluster.delay({ calls: step.callsMs, watches: step.watchesMs })
    case 'stop node':
      return cluster.stopNode(step.name)
    case 'start node':
      return cluster.startNode(step.name)
    case 'taint node':
      return taint(cluster, step.name, step.effect)
  }
}

async function pickName(cluster: TestCluster, kind: KindName, pick: number): Promise<string | undefined> {
  const all = await cluster.list(kind)
  return all[pick % Math.max(1, all.length)]?.metadata.name
}

async function applyTwin(cluster: TestCluster, name: string, of: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const model = await cluster.get('deployment', of)
  if (model?.spec === undefined) return
  const { apiVersion = 'apps/v1', kind = 'Deployment', spec } = model
  const { selector, template } = spec
  const labels = { ...template.metadata?.labels, ...more }
  await cluster.apply({
    apiVersion,
    kind,
    metadata: { name },
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...more } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  })
}

async function applyHold(cluster: TestCluster, kind: 'deployment' | 'job' | 'cronjob', name: string, isHeld: boolean): Promise<void> {
  await cluster.patch(kind, name, { spec: kind === 'deployment' ? { paused: isHeld } : { suspend: isHeld } })
}

/** More than there can be. */
const manyPods = 10_000

async function applyQuota(cluster: TestCluster, pods: number | undefined): Promise<void> {
  if (pods === undefined) return cluster.delete('resourcequota', 'limit')
  const spec = { hard: { pods: String(pods) } }
  await cluster.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'limit' }, spec })
}

async function taint(cluster: TestCluster, name: string, effect: 'NoSchedule' | 'NoExecute' | undefined): Promise<void> {
  const node = await cluster.get('node', name)
  if (node === undefined) return
  const others = (node.spec?.taints ?? []).filter(({ key }) => key !== taintKey)
  const taints = effect === undefined ? others : [...others, { key: taintKey, effect }]
  await cluster.patch('node', name, { spec: { taints } })
}

async function releasePods(cluster: TestCluster): Promise<void> {
  for (const { metadata } of await cluster.list('pod'))
    if (metadata.annotations?.[hangAnnotation] !== undefined)
      await cluster.patch('pod', metadata.name, { metadata: { annotations: { [hangAnnotation]: null } } })
}

const prefix = 'deployment.kubernetes.io/'
/** Of these, `kubectl rollout undo` leaves to the Deployment what it has. */
const keptByUndo = [
  'kubectl.kubernetes.io/last-applied-configuration',
  `${prefix}revision`,
  `${prefix}revision-history`,
  `${prefix}desired-replicas`,
  `${prefix}max-replicas`,
  'deprecated.deployment.rollback.to',
]

/** The template and the annotations of the revision before the last, as kubectl does it. */
async function undo(cluster: TestCluster, name: string, isOldKubectl: boolean): Promise<void> {
  const deployment = await cluster.get('deployment', name)
  if (deployment === undefined || deployment.spec?.paused === true) return
  const revisionOf = ({ metadata }: Stored<ReplicaSet>) => Number(metadata.annotations?.[`${prefix}revision`] ?? 0)
  const [, previous] = (await cluster.list('replicaset'))
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === deployment.metadata.uid))
    .sort((a, b) => revisionOf(b) - revisionOf(a))
  if (previous === undefined) return
  const kept = new Set(isOldKubectl ? keptByUndo : [...keptByUndo, `${prefix}replicaset-replicas-before-scale`])
  const { 'pod-template-hash': _hash, ...labels } = previous.spec?.template?.metadata?.labels ?? {}
  const template = { ...previous.spec?.template, metadata: { ...previous.spec?.template?.metadata, labels } }
  const ofSet = Object.entries(previous.metadata.annotations ?? {}).filter(([key]) => !kept.has(key))
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => kept.has(key))
  const patch = [
    { op: 'replace', path: '/spec/template', value: template },
    { op: 'add', path: '/metadata/annotations', value: Object.fromEntries([...own, ...ofSet]) },
  ]
  await cluster.patch('deployment', name, patch as never, { type: 'json' })
}

/** Ends all faults and restrictions: from here on every workload must converge by itself. */
export async function calm(cluster: TestCluster, { nodes, releasesPods, hasPacer }: SwarmPlan): Promise<void> {
  // The quota keeps counting, with a limit that is never reached.
  if ((await cluster.list('resourcequota')).length > 0) await applyQuota(cluster, manyPods)
  for (const { metadata } of await cluster.list('cronjob')) await applyHold(cluster, 'cronjob', metadata.name, true)
  for (const deployment of await cluster.list('deployment'))
    if (isPaused(deployment)) await applyHold(cluster, 'deployment', deployment.metadata.name, false)
  for (const { metadata, spec } of await cluster.list('job'))
    if (spec?.suspend === true) await applyHold(cluster, 'job', metadata.name, false)
  if (releasesPods) await releasePods(cluster)
  if (hasPacer) {
    cluster.failPacerWrites(0)
    cluster.delayPacer({ calls: 0, watches: 0 })
    cluster.startPacer()
  }
  cluster.failNextWrites(0)
  cluster.delay({ calls: 0, watches: 0 })
  for (let index = 1; index <= nodes; index++) {
    cluster.startNode(`node-${index}`)
    await taint(cluster, `node-${index}`, undefined)
  }
}

const isPaused = ({ spec }: Deployment) => spec?.paused === true
