// Lets go of claims and volumes that are being deleted, once nobody uses them: a finalizer has held them until then.
import type { Kind } from '../api/kind.ts'
import { persistentVolumeClaims, persistentVolumes, pods as podKind } from '../api/kinds.ts'
import { isStatusError } from '../api/status-error.ts'
import type { KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod, Stored } from '../api/types.ts'
import { type RunningController, startController } from '../runtime/controller.ts'
import type { CommonParts } from '../runtime/controller-parts.ts'
import { type Informer, keyOf } from '../runtime/informer.ts'

export type ProtectionOptions = CommonParts

/** A pod that has no node yet does not use its claims: no node starts a pod whose claim is being deleted. */
export function usesClaim({ spec }: Pod, claim: string): boolean {
  return (
    Boolean(spec?.nodeName) && (spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim) ?? false)
  )
}

export function startClaimProtection(options: ProtectionOptions): RunningController {
  const pods = options.informers.get(podKind)
  const claims = options.informers.get(persistentVolumeClaims)
  const running = startProtection<PersistentVolumeClaim>({
    ...options,
    name: 'pvcprotection',
    kind: persistentVolumeClaims,
    finalizer: 'kubernetes.io/pvc-protection',
    objects: claims,
    async isUsed({ metadata: { name, namespace = '' } }) {
      const uses = (pod: Stored<Pod>) => usesClaim(pod, name)
      if (pods.byIndex('namespace', namespace).some(uses)) return true
      // The cache may be behind: a pod that uses the claim may have just come.
      return (await options.client.list(podKind, { namespace })).items.some(uses)
    },
  })
  pods.onChange((current, previous) => {
    const pod = current ?? previous!
    if (current?.spec?.nodeName) return
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? [])
      if (persistentVolumeClaim !== undefined) running.look(`${pod.metadata.namespace}/${persistentVolumeClaim.claimName}`)
  })
  return { ...running, synced: Promise.all([running.synced, pods.synced]).then(() => undefined) }
}

export function startVolumeProtection(options: ProtectionOptions): RunningController {
  return startProtection<PersistentVolume>({
    ...options,
    name: 'pvprotection',
    kind: persistentVolumes,
    finalizer: 'kubernetes.io/pv-protection',
    objects: options.informers.get(persistentVolumes),
    isUsed: async ({ status }) => status?.phase === 'Bound',
  })
}

interface Protection<T extends KubernetesObject> extends ProtectionOptions {
  readonly name: string
  readonly kind: Kind<T>
  readonly finalizer: string
  readonly objects: Informer<T>
  isUsed(object: Stored<T>): Promise<boolean>
}

function startProtection<T extends KubernetesObject>(protection: Protection<T>): RunningController & { look(key: string): void } {
  const { client, clock, name, kind, finalizer, objects, isUsed, onFailure } = protection
  const controller = startController({
    name,
    clock,
    queues: protection.queues,
    workers: 4,
    async reconcile(key) {
      const object = objects.get(key)
      if (object === undefined || !isHeld(object, finalizer) || (await isUsed(object))) return undefined
      const finalizers = object.metadata.finalizers?.filter((one) => one !== finalizer)
      try {
        await client.update(kind, { ...object, metadata: { ...object.metadata, finalizers } } as Stored<T>)
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
      return undefined
    },
    onFailure: (key, error, failures) => {
      if (!isStatusError(error, 'Conflict') || failures >= 10) onFailure?.(`${name} ${key}`, error)
    },
  })
  const look = (key: string) => {
    const object = objects.get(key)
    if (object !== undefined && isHeld(object, finalizer)) controller.queue.add(key)
  }
  objects.onChange((current) => {
    if (current !== undefined) look(keyOf(current))
  })
  return { synced: objects.synced, look, stop: () => controller.stop() }
}

const isHeld = ({ metadata }: KubernetesObject, finalizer: string) =>
  metadata?.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false)
