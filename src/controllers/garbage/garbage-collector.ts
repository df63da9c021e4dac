// The garbage collector: deletes dependents of deleted owners, in the background or the foreground, or orphans them.
// Kubernetes: pkg/controller/garbagecollector.GarbageCollector.attemptToDeleteItem, GarbageCollector.processDeletingDependentsItem
// Kubernetes: pkg/controller/garbagecollector.GarbageCollector.attemptToOrphanWorker, GarbageCollector.orphanDependents
// Kubernetes: pkg/controller/garbagecollector.GraphBuilder.reportInvalidNamespaceOwnerRef
import { apiVersionOf, type Kind, type Resource } from '../../api/machinery/kind.ts'
import type { KindSource } from '../../api/machinery/kind-set.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, OwnerReference } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { isReported } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { Informer } from '../../runtime/informer.ts'
import { startWorkers } from '../../runtime/workers.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { ownedKinds } from '../shared/owned-kinds.ts'
import { type GraphNode, isDeletingDependents, nodeOf, OwnerGraph } from './graph.ts'
import { type Dependent, foregroundFinalizer, type OwnerState, orphanFinalizer, planCollect } from './plan/collect.ts'
import { invalidNamespaceMessage, isNamedBy, isOfOtherNamespace } from './plan/references.ts'

interface GarbageCollectorOptions extends Pick<CommonParts, 'client' | 'clock' | 'queues' | 'onFailure'> {
  /** Its component is `garbage-collector-controller`. */
  readonly recorder: EventRecorder
  /** Kinds that can be owners or dependents: all that can be listed, watched and deleted. */
  readonly kinds: KindSource
}

const workers = 20

export const garbageCollector: ControllerDefinition = {
  name: 'garbage-collector-controller',
  start: (parts) => startGarbageCollector({ ...parts, kinds: ownedKinds(parts.kinds, ({ plural }) => plural !== 'events') }),
}

export function startGarbageCollector({ client, clock, queues, recorder, kinds, onFailure }: GarbageCollectorOptions): RunningController {
  const graph = new OwnerGraph()
  const resources = new Map<string, Resource>()
  let synced = false

  const ref = ({ metadata: { namespace, name } }: GraphNode) => ({ ...(namespace !== undefined && { namespace }), name })

  /** The owner in the graph, if its name and kind are those of the reference. */
  const knownOwner = (reference: OwnerReference, item: GraphNode): GraphNode | undefined => {
    const known = graph.get(reference.uid)
    return known !== undefined && isNamedBy(known, reference, item) ? known : undefined
  }

  /** From the graph, or from the server if the graph does not have the owner: the graph may be behind. */
  const readOwnerState = async (reference: OwnerReference, item: GraphNode): Promise<OwnerState> => {
    const known = knownOwner(reference, item)
    if (known !== undefined) return isDeletingDependents(known) ? 'waiting' : 'solid'
    const resource = resources.get(`${reference.apiVersion}/${reference.kind}`)
    // An owner of an unknown kind may exist on another server: then nothing is deleted.
    if (resource === undefined) return 'solid'
    const { namespace } = item.metadata
    if (resource.namespaced && namespace === undefined) return 'solid'
    const place = { name: reference.name, ...(resource.namespaced && { namespace: namespace! }) }
    const metadata = (await ignoring('NotFound', client.get(resource, place)))?.metadata
    if (metadata?.uid !== reference.uid) return 'absent'
    return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foregroundFinalizer) ? 'waiting' : 'solid'
  }

  const asDependent = (owner: GraphNode, node: GraphNode): Dependent => ({
    uid: node.metadata.uid,
    blocksOwner: node.metadata.ownerReferences.some(
      ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true,
    ),
    isBeingDeleted: node.metadata.isBeingDeleted,
    isDeletingDependents: isDeletingDependents(node),
  })

  // Without `buildController`, as the keys are nodes of a graph of all kinds, not objects of one kind.
  const loop = startWorkers({
    queues,
    name: 'garbage-collector',
    clock,
    workers,
    async reconcile(uid) {
      const item = graph.get(uid)
      if (item === undefined) return
      // By reference: two of them may have the uid of one object, and only one its name.
      const states = new Map<OwnerReference, OwnerState>()
      if (!item.metadata.isBeingDeleted)
        for (const reference of item.metadata.ownerReferences) states.set(reference, await readOwnerState(reference, item))
      const dependents = graph.dependents(uid).map((node) => asDependent(item, node))
      const plan = planCollect(item.metadata, (reference) => states.get(reference) ?? 'solid', dependents)
      try {
        switch (plan.action) {
          case 'none':
            break
          case 'drop-references':
            await applyWithoutReferences(item, plan.uids)
            break
          case 'delete':
            if (plan.unblockOwners) await applyUnblockedReferences(item)
            await client.delete(item.resource, ref(item), {
              propagationPolicy: plan.propagationPolicy,
              preconditions: { uid, ...(!plan.unblockOwners && { resourceVersion: item.metadata.resourceVersion }) },
            })
            break
          case 'delete-dependents':
            for (const dependent of plan.uids) loop.queue.add(dependent)
            if (plan.done) await applyWithoutFinalizer(item, foregroundFinalizer)
            break
          case 'orphan-dependents':
            for (const dependent of plan.uids) {
              const node = graph.get(dependent)
              if (node !== undefined) await ignoring('NotFound', applyWithoutReferences(node, [uid]))
            }
            await applyWithoutFinalizer(item, orphanFinalizer)
            break
        }
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
    },
    onFailure: (uid, error, failures) => {
      if (!isReported(error, failures)) return
      const item = graph.get(uid)
      onFailure?.(`garbage collector: ${item?.resource.plural ?? 'object'} ${item?.metadata.name ?? uid}`, error)
    },
  })

  // A merge patch replaces whole lists: the resourceVersion makes it fail if another change came first.
  const applyMetadata = (node: GraphNode, metadata: Readonly<Record<string, unknown>>) =>
    client.patch(node.resource, ref(node), 'merge', {
      metadata: { uid: node.metadata.uid, resourceVersion: node.metadata.resourceVersion, ...metadata },
    })
  const applyWithoutReferences = (node: GraphNode, uids: readonly string[]) =>
    applyMetadata(node, { ownerReferences: orNull(node.metadata.ownerReferences.filter(({ uid }) => !uids.includes(uid))) })
  const applyUnblockedReferences = (node: GraphNode) =>
    applyMetadata(node, {
      ownerReferences: node.metadata.ownerReferences.map((reference) => ({ ...reference, blockOwnerDeletion: false })),
    })
  const applyWithoutFinalizer = (node: GraphNode, finalizer: string) =>
    applyMetadata(node, { finalizers: orNull(node.metadata.finalizers.filter((one) => one !== finalizer)) })

  /** A new reference whose uid belongs to an object with another name or kind is checked once: the owner is read from the server. */
  const enqueueIfNeeded = (node: GraphNode, hasNewReferences: boolean) => {
    const { uid, ownerReferences, isBeingDeleted, finalizers } = node.metadata
    if (isBeingDeleted) {
      if (finalizers.includes(orphanFinalizer) || finalizers.includes(foregroundFinalizer)) loop.queue.add(uid)
      // Its owners may wait for its deletion.
      enqueueWaitingOwners(ownerReferences)
      return
    }
    const isDue = (reference: OwnerReference) => {
      const known = hasNewReferences ? knownOwner(reference, node) : graph.get(reference.uid)
      return known === undefined || isDeletingDependents(known)
    }
    if (ownerReferences.some(isDue)) loop.queue.add(uid)
  }

  /** At most one event for an object, as in Kubernetes. */
  const reportOtherNamespace = (node: GraphNode) => {
    const invalid = node.metadata.ownerReferences.find(({ uid }) => {
      const known = graph.get(uid)
      return known !== undefined && isOfOtherNamespace(known, node)
    })
    if (invalid === undefined) return
    const { resource, metadata } = node
    const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { ...ref(node), uid: metadata.uid } }
    recorder.record(object, 'Warning', 'OwnerRefInvalidNamespace', invalidNamespaceMessage(invalid, metadata.namespace))
  }

  const enqueueWaitingOwners = (references: readonly OwnerReference[]) => {
    for (const { uid } of references) {
      const known = graph.get(uid)
      if (known !== undefined && isDeletingDependents(known)) loop.queue.add(uid)
    }
  }

  const watchKind = (kind: Kind) => {
    const informer = new Informer<KubernetesObject, GraphNode>({
      client,
      clock,
      resource: kind,
      transform: (object) => nodeOf(kind, object),
      onFailure: (error) => onFailure?.(`garbage collector: watching ${kind.plural}`, error),
    })
    informer.onChange((current, previous) => {
      if (current === undefined) {
        const { uid, ownerReferences } = previous!.metadata
        const dependents = graph.dependents(uid)
        graph.remove(uid)
        if (!synced) return
        for (const dependent of dependents) loop.queue.add(dependent.metadata.uid)
        enqueueWaitingOwners(ownerReferences)
        return
      }
      graph.put(current)
      if (synced) {
        const hasNewReferences = previous === undefined || !isEqualJson(previous.metadata.ownerReferences, current.metadata.ownerReferences)
        enqueueIfNeeded(current, hasNewReferences)
        if (hasNewReferences) reportOtherNamespace(current)
      }
      // The owner of a removed reference may have waited for this object.
      if (synced && previous !== undefined && previous.metadata.ownerReferences !== current.metadata.ownerReferences)
        enqueueWaitingOwners(previous.metadata.ownerReferences)
    })
    return informer
  }

  /** By resource: the versions of a kind have the same objects. */
  const informers = new Map<string, { readonly kind: Kind; readonly informer: ReturnType<typeof watchKind> }>()

  /** The informers of kinds that are new. Those of kinds that are gone are stopped: their objects were deleted before. */
  const followKinds = () => {
    const current = kinds.current()
    const wanted = new Map<string, Kind>(current.map((kind) => [`${kind.group}/${kind.plural}`, kind] as const).reverse())
    resources.clear()
    for (const kind of current) resources.set(`${apiVersionOf(kind)}/${kind.kind}`, kind)
    for (const [id, { kind, informer }] of informers) {
      if (wanted.get(id) === kind) continue
      informer.stop()
      informers.delete(id)
    }
    const added = [...wanted].filter(([id]) => !informers.has(id)).reverse()
    return added.map(([id, kind]) => {
      const informer = watchKind(kind)
      informers.set(id, { kind, informer })
      return informer
    })
  }

  const allSynced = (async () => {
    // Sequentially, to limit the memory of the first lists.
    for (const informer of followKinds()) {
      informer.start()
      await informer.synced
    }
    synced = true
    for (const { informer } of informers.values()) for (const node of informer.values()) enqueueIfNeeded(node, true)
  })()
  const unfollow = kinds.onChange(() => {
    for (const informer of followKinds()) informer.start()
  })

  return {
    synced: allSynced,
    async stop() {
      unfollow()
      for (const { informer } of informers.values()) informer.stop()
      await loop.stop()
    },
  }
}

const orNull = <T>(list: readonly T[]) => (list.length === 0 ? null : list)
