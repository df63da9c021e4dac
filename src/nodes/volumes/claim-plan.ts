// Plans the volume of a claim: an existing one that matches, or a new one. Pure.
// Kubernetes: k8s.io/component-helpers/storage/volume.FindMatchingVolume
// Kubernetes: pkg/controller/volume/persistentvolume.PersistentVolumeController.syncUnboundClaim
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, Stored } from '../../api/types.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { compareQuantities, parseQuantity, type Quantity, zeroQuantity } from '../../base/quantity.ts'
import { classOf } from '../scheduler/pod-claims.ts'

export type Claim = Stored<PersistentVolumeClaim>
export type Volume = Stored<PersistentVolume>

interface ClaimContext {
  /** The volume that the claim names, if it exists. */
  readonly named?: Volume
  /** A volume that names the claim. */
  readonly preBound?: Volume
  /** Volumes without a claim. */
  readonly free: Iterable<Volume>
  /** The storage class that the claim names, if it exists. */
  readonly storageClass?: StorageClass
  /** A pod that uses the claim has a node. */
  readonly hasConsumer: boolean
}

type ClaimPlan =
  | { readonly at: 'bind'; readonly volume: Volume }
  | { readonly at: 'provision' }
  | { readonly at: 'wait'; readonly reason?: string; readonly message?: string }

const noProvisioner = 'kubernetes.io/no-provisioner'

/**
 * Decides as Kubernetes' binder, with a provisioner for every class: manifests written for another cluster work whatever class they
 * name. An existing class determines the binding mode; any other class waits for the first consumer.
 */
export function planClaim(claim: Claim, { named, preBound, free, storageClass, hasConsumer }: ClaimContext): ClaimPlan {
  if (claim.spec?.volumeName)
    return named !== undefined && (named.spec?.claimRef === undefined || isFor(named, claim))
      ? { at: 'bind', volume: named }
      : { at: 'wait' }
  if (preBound !== undefined && isFor(preBound, claim)) return { at: 'bind', volume: preBound }
  const className = classOf(claim)
  const isDelayed = storageClass === undefined ? className !== '' : storageClass.volumeBindingMode === 'WaitForFirstConsumer'
  if (isDelayed && !hasConsumer)
    return { at: 'wait', reason: 'WaitForFirstConsumer', message: 'waiting for first consumer to be created before binding' }
  const [volume] = [...free].filter((one) => isFit(one, claim)).sort(smallestFirst)
  if (volume !== undefined) return { at: 'bind', volume }
  if (className === '')
    return { at: 'wait', reason: 'FailedBinding', message: 'no persistent volumes available for this claim and no storage class is set' }
  return storageClass?.provisioner === noProvisioner ? { at: 'wait' } : { at: 'provision' }
}

function isFor({ spec }: PersistentVolume, { metadata }: Claim): boolean {
  const ref = spec?.claimRef
  return ref?.name === metadata.name && ref.namespace === metadata.namespace && (!ref.uid || ref.uid === metadata.uid)
}

function isFit({ metadata, spec, status }: Volume, claim: Claim): boolean {
  if (spec?.claimRef !== undefined || metadata.deletionTimestamp !== undefined) return false
  if (status?.phase !== 'Available' && status?.phase !== 'Pending') return false
  const wanted = claim.spec
  const selector = selectorRequirements(wanted?.selector as Parameters<typeof selectorRequirements>[0])
  return (
    (spec?.storageClassName ?? '') === (classOf(claim) ?? '') &&
    (spec?.volumeMode ?? 'Filesystem') === (wanted?.volumeMode ?? 'Filesystem') &&
    (wanted?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode)) &&
    compareQuantities(sizeOf(spec?.capacity), sizeOf(wanted?.resources?.requests)) >= 0 &&
    (wanted?.selector == null || (selector !== undefined && matchesLabels(selector, metadata.labels)))
  )
}

const sizeOf = (amounts: Readonly<Record<string, string>> | undefined): Quantity =>
  parseQuantity(amounts?.['storage'] ?? '') ?? zeroQuantity

const smallestFirst = (a: Volume, b: Volume) =>
  compareQuantities(sizeOf(a.spec?.capacity), sizeOf(b.spec?.capacity)) || (a.metadata.name < b.metadata.name ? -1 : 1)

export const provisionedBy = 'pv.kubernetes.io/provisioned-by'
const defaultProvisioner = 'rancher.io/local-path'

/** A new volume with the requested size, bound to the claim. */
export function newVolume(claim: Claim, storageClass: StorageClass | undefined): PersistentVolume {
  const { metadata, spec } = claim
  const name = `pvc-${metadata.uid}`
  const className = classOf(claim)
  return {
    metadata: { name, annotations: { [provisionedBy]: storageClass?.provisioner ?? defaultProvisioner } },
    spec: {
      accessModes: spec?.accessModes ?? ['ReadWriteOnce'],
      capacity: { storage: spec?.resources?.requests?.['storage'] ?? '1Gi' },
      claimRef: refOf(claim),
      hostPath: { path: `/var/local-path-provisioner/${name}_${metadata.namespace}_${metadata.name}`, type: 'DirectoryOrCreate' },
      persistentVolumeReclaimPolicy: storageClass?.reclaimPolicy ?? 'Delete',
      ...(className && { storageClassName: className }),
      ...(spec?.volumeMode && { volumeMode: spec.volumeMode }),
    },
  }
}

export function refOf({ metadata: { name, namespace, uid, resourceVersion } }: Claim) {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace: namespace ?? '', uid, resourceVersion }
}
