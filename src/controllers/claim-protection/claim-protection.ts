// Removes the protection finalizer of claims, volumes and their classes that are being deleted, when they are no longer in use, and adds it
// to others that have lost it.
// Kubernetes: pkg/controller/volume/pvcprotection.Controller.processPVC, Controller.isBeingUsedWith, Controller.podUsesPVCForDeletion
// Kubernetes: pkg/controller/volume/pvprotection.Controller.processPV, Controller.isBeingUsed
// Kubernetes: pkg/controller/volume/vacprotection.Controller.processVAC, Controller.isBeingUsed
import { persistentVolumeClaims, persistentVolumes, pods as podKind, volumeAttributesClasses } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod, Stored, VolumeAttributesClass } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { buildController, type WatchedKind, watched } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'

/** A pod that has no node yet does not use its claims: no node starts a pod whose claim is being deleted. */
function usesClaim({ spec }: Pod, claim: string): boolean {
  return (
    Boolean(spec?.nodeName) && (spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim) ?? false)
  )
}

export const claimProtection: ControllerDefinition = {
  name: 'pvc-protection-controller',
  start: startClaimProtection,
}

export function startClaimProtection(options: CommonParts): RunningController {
  const pods = options.informers.get(podKind)
  return startProtection<PersistentVolumeClaim>(options, {
    name: 'pvcprotection',
    kind: persistentVolumeClaims,
    finalizer: 'kubernetes.io/pvc-protection',
    async isUsed({ metadata: { name, namespace = '' } }, client) {
      const uses = (pod: Stored<Pod>) => usesClaim(pod, name)
      if (pods.byIndex('namespace', namespace).some(uses)) return true
      // The cache may be behind: a pod that uses the claim may have just been created.
      return (await client.list(podKind, { namespace })).items.some(uses)
    },
    watches: [watched(podKind, (current, previous) => (current?.spec?.nodeName ? [] : claimsOf((current ?? previous)!)))],
  })
}

const claimsOf = ({ metadata, spec }: Stored<Pod>): string[] =>
  (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [`${metadata.namespace}/${persistentVolumeClaim.claimName}`],
  )

export const volumeProtection: ControllerDefinition = {
  name: 'pv-protection-controller',
  start: startVolumeProtection,
}

export function startVolumeProtection(options: CommonParts): RunningController {
  return startProtection<PersistentVolume>(options, {
    name: 'pvprotection',
    kind: persistentVolumes,
    finalizer: 'kubernetes.io/pv-protection',
    isUsed: async ({ status }) => status?.phase === 'Bound',
    watches: [],
  })
}

export const attributesClassProtection: ControllerDefinition = {
  name: 'volumeattributesclass-protection-controller',
  start: startAttributesClassProtection,
}

export function startAttributesClassProtection(options: CommonParts): RunningController {
  const volumes = options.informers.get(persistentVolumes)
  const claims = options.informers.get(persistentVolumeClaims)
  return startProtection<VolumeAttributesClass>(options, {
    name: 'vacprotection',
    kind: volumeAttributesClasses,
    finalizer: 'kubernetes.io/vac-protection',
    // Asked only while a class is being deleted, so that all are searched.
    isUsed: async ({ metadata: { name } }) => [...volumes.values(), ...claims.values()].some((one) => classesOf(one).includes(name)),
    watches: [
      watched(persistentVolumes, (_, previous) => (previous === undefined ? [] : classesOf(previous))),
      watched(persistentVolumeClaims, (_, previous) => (previous === undefined ? [] : classesOf(previous))),
    ],
  })
}

/** A claim names the class that the user wants, the one that its volume has, and the one that is being set. */
function classesOf({ spec, status }: PersistentVolume | PersistentVolumeClaim): readonly string[] {
  const claimed = status as PersistentVolumeClaim['status']
  const names = [spec?.volumeAttributesClassName, claimed?.currentVolumeAttributesClassName]
  return [...names, claimed?.modifyVolumeStatus?.targetVolumeAttributesClassName].filter((name) => name !== undefined)
}

interface Protection<T extends KubernetesObject> {
  readonly name: string
  readonly kind: Kind<T>
  readonly finalizer: string
  readonly watches: readonly WatchedKind[]
  isUsed(object: Stored<T>, client: Client): Promise<boolean>
}

function startProtection<T extends KubernetesObject>(options: CommonParts, protection: Protection<T>): RunningController {
  const { name, kind, finalizer, watches, isUsed } = protection
  return buildController(options, {
    name,
    for: kind,
    delayOf: (object) => (isHeld(object, finalizer) || isUnprotected(object, finalizer) ? 0 : undefined),
    watches,
    workers: 4,
    async reconcile(object, { client }) {
      const write = (finalizers: readonly string[]) =>
        ignoring('NotFound', client.update(kind, { ...object, metadata: { ...object.metadata, finalizers } } as Stored<T>))
      const { finalizers = [] } = object.metadata
      if (isUnprotected(object, finalizer)) await write([...finalizers, finalizer])
      else if (isHeld(object, finalizer) && !(await isUsed(object, client))) await write(finalizers.filter((one) => one !== finalizer))
    },
  })
}

const hasFinalizer = ({ metadata }: KubernetesObject, finalizer: string) => metadata?.finalizers?.includes(finalizer) ?? false
const isHeld = (object: KubernetesObject, finalizer: string) =>
  object.metadata?.deletionTimestamp !== undefined && hasFinalizer(object, finalizer)
const isUnprotected = (object: KubernetesObject, finalizer: string) =>
  object.metadata?.deletionTimestamp === undefined && !hasFinalizer(object, finalizer)
