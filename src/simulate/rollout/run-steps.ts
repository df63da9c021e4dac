// Executes the steps of a plan on a cluster.
import { isDeepStrictEqual } from 'node:util'
import { replicaSets } from '../../api/kinds.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { Container, Deployment, KubernetesObject, ReplicaSet, Stored } from '../../api/types.ts'
import { type Clock, formatTime } from '../../base/clock.ts'
import type { VirtualCluster } from '../../cluster/virtual-cluster.ts'
import { kindNamed, kindOfObject } from '../objects.ts'
import { drain, drainNodes, evict } from './drain-nodes.ts'
import { InputError } from './input-error.ts'
import { formatLength } from './lengths.ts'
import { placeOfField } from './manifests.ts'
import type { Action, PlannedObject, PlannedTiming, Target } from './plan.ts'
import { prepareObject, timingOf } from './prepare.ts'
import type { TraceRecorder } from './record-trace.ts'
import type { Policy } from './result.ts'

export interface Stage {
  readonly cluster: VirtualCluster
  readonly clock: Clock
  readonly recorder: TraceRecorder
  readonly policy: Policy
  readonly timing: PlannedTiming
  readonly timings?: Readonly<Record<string, PlannedTiming>>
  /** The workloads whose size an autoscaler decides. */
  readonly autoscaled: readonly Target[]
  /** Why evictions that are still tried were refused last, by pod. */
  readonly refusals: Map<string, string>
  /** Checks that failed. */
  readonly breaches: string[]
}

const fieldManager = 'rollcall-simulate'

const refOf = (kind: { readonly namespaced: boolean }, name: string, namespace: string) =>
  kind.namespaced ? { namespace, name } : { name }

export async function applyObjects(stage: Stage, objects: readonly PlannedObject[]): Promise<void> {
  const { cluster, policy, timing, timings } = stage
  for (const planned of objects) {
    const prepared = await withCurrentSize(stage, prepareObject(planned.object, policy, timingOf(planned.object, timing, timings)))
    const kind = kindOfObject(prepared)
    const namespace = kind.namespaced ? (prepared.metadata?.namespace ?? 'default') : ''
    try {
      const { name } = prepared.metadata ?? {}
      if (name === undefined) await cluster.client.create(kind, namespace, prepared, { fieldManager })
      else await cluster.client.patch(kind, refOf(kind, name, namespace), 'apply', prepared, { fieldManager, force: true })
    } catch (error) {
      const field = isStatusError(error) ? error.status.details?.causes?.[0]?.field : undefined
      throw new InputError(
        `the server refuses it: ${(error as Error).message}`,
        field === undefined ? planned.place : placeOfField(planned, field),
      )
    }
  }
}

/** A manifest that leaves the size to an autoscaler does not change it. */
async function withCurrentSize({ cluster, autoscaled }: Stage, object: KubernetesObject): Promise<KubernetesObject> {
  const { spec } = object as { readonly spec?: { readonly replicas?: number } }
  const { name = '', namespace = 'default' } = object.metadata ?? {}
  const isAutoscaled = autoscaled.some((one) => one.kind === object.kind && one.name === name && one.namespace === namespace)
  if (!isAutoscaled || spec?.replicas !== undefined) return object
  const current = await ignoring('NotFound', cluster.client.get(kindOfObject(object), { namespace, name }))
  const replicas = (current as { readonly spec?: { readonly replicas?: number } } | undefined)?.spec?.replicas
  return replicas === undefined ? object : ({ ...object, spec: { ...spec, replicas } } as KubernetesObject)
}

export async function runAction(stage: Stage, action: Action): Promise<void> {
  const { cluster, clock } = stage
  const { client } = cluster
  switch (action.type) {
    case 'apply':
      return applyObjects(stage, action.objects)
    case 'delete': {
      const kind = kindNamed(action.target.kind)
      return client.delete(kind, refOf(kind, action.target.name, action.target.namespace), { propagationPolicy: 'Background' })
    }
    case 'scale':
      return patchTarget(stage, action.target, { spec: { replicas: action.replicas } })
    case 'pause':
    case 'resume':
      return patchTarget(stage, action.target, { spec: { paused: action.type === 'pause' } })
    case 'restart': {
      const annotations = { 'kubectl.kubernetes.io/restartedAt': formatTime(clock.now()) }
      return patchTarget(stage, action.target, { spec: { template: { metadata: { annotations } } } })
    }
    case 'image':
      return setImage(stage, action.target, action.image, action.container)
    case 'undo':
      return undo(stage, action.target)
    case 'evict':
      await Promise.all(podsOf(stage, action.target, action.count).map((pod) => evict(stage, pod)))
      return
    case 'crash':
      for (const pod of podsOf(stage, action.target, action.count)) cluster.crash(pod)
      return
    case 'drain':
      return drain(stage, action.node)
    case 'drain-nodes':
      return drainNodes(stage, action.nodes, action.isOneByOne)
    case 'uncordon':
      await client.patch(kindNamed('Node'), { name: action.node }, 'merge', { spec: { unschedulable: null } }, { fieldManager })
      return
    case 'check':
      return check(stage, action)
    case 'node-down':
      if (!cluster.stopNode(action.node)) throw new InputError(`there is no node "${action.node}"`)
      return
    case 'node-up':
      if (!cluster.startNode(action.node)) throw new InputError(`there is no node "${action.node}"`)
  }
}

async function patchTarget({ cluster }: Stage, { kind: kindName, name, namespace }: Target, patch: object): Promise<void> {
  const kind = kindNamed(kindName)
  await cluster.client.patch(kind, refOf(kind, name, namespace), 'merge', patch, { fieldManager })
}

async function setImage({ cluster }: Stage, target: Target, image: string, container?: string): Promise<void> {
  const kind = kindNamed(target.kind)
  const ref = refOf(kind, target.name, target.namespace)
  const object = (await cluster.client.get(kind, ref)) as KubernetesObject & {
    readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } } }
  }
  const name = container ?? object.spec?.template?.spec?.containers?.[0]?.name
  const patch = { spec: { template: { spec: { containers: [{ name, image }] } } } }
  await cluster.client.patch(kind, ref, 'strategic', patch, { fieldManager })
}

const revisionOf = ({ metadata }: ReplicaSet) => Number(metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? 0)

/** Restores the template of the previous revision, as `kubectl rollout undo` does. */
async function undo({ cluster }: Stage, target: Target): Promise<void> {
  const { client } = cluster
  const kind = kindNamed(target.kind)
  const ref = { namespace: target.namespace, name: target.name }
  const deployment = (await client.get(kind, ref)) as Stored<Deployment>
  const { items } = await client.list(replicaSets, { namespace: target.namespace })
  const own = items
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === deployment.metadata.uid))
    .sort((a, b) => revisionOf(b) - revisionOf(a))
  const template = own[1]?.spec?.template
  if (template === undefined)
    throw new InputError(
      `cannot undo: ${target.kind} ${target.namespace}/${target.name} has no earlier revision. Change its template in a step before`,
    )
  const { 'pod-template-hash': _, ...labels } = template.metadata?.labels ?? {}
  const before = { ...template, metadata: { ...template.metadata, labels } }
  await client.patch(kind, ref, 'json', [{ op: 'replace', path: '/spec/template', value: before }], { fieldManager })
}

function podsOf({ recorder }: Stage, target: Target, count?: number): { readonly namespace: string; readonly name: string }[] {
  const owners = recorder.ownersOf(target)
  const own = recorder.pods.filter(
    ({ owner, isTerminating, hasEnded }) => owner !== undefined && owners.has(owner) && !isTerminating && !hasEnded,
  )
  return own.slice(0, count)
}

async function check(
  { cluster, clock, recorder, breaches }: Stage,
  { target, expected }: Action & { readonly type: 'check' },
): Promise<void> {
  const kind = kindNamed(target.kind)
  const at = formatLength(clock.now() - recorder.zeroMs)
  const name = `${kind.kind}/${target.name}`
  const object = await ignoring('NotFound', cluster.client.get(kind, refOf(kind, target.name, target.namespace)))
  if (object === undefined) breaches.push(`at ${at}: ${name} is not there`)
  else
    for (const { path, value } of expected) {
      const found = valueAt(object, path)
      if (!isDeepStrictEqual(found, value ?? undefined))
        breaches.push(`at ${at}: ${path} of ${name} is ${JSON.stringify(found) ?? 'not there'}, not ${JSON.stringify(value)}`)
    }
}

/** Of `spec.replicas`; a name with dots in it goes in brackets: `metadata.annotations[example.com/a]`. */
function valueAt(object: unknown, path: string): unknown {
  let value = object
  for (const [, name, bracketed] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    const key = name ?? bracketed!
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}
