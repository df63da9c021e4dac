// The PersistentVolumeClaims of a StatefulSet's pods: created with the pod, with owners according to the retention policy.
// Kubernetes: pkg/controller/statefulset.getPersistentVolumeClaims, getPersistentVolumeClaimRetentionPolicy, isClaimOwnerUpToDate
// Kubernetes: pkg/controller/statefulset.updateClaimOwnerRefForSetAndPod, hasStaleOwnerRef, StatefulPodControl.PodClaimIsStale
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { OwnerReference, PersistentVolumeClaim, StatefulSet, Stored } from '../../../api/types.ts'
import { claimNameOf, isInRange } from './identity.ts'

export type Claim = Stored<PersistentVolumeClaim>
export type FindClaim = (name: string) => Claim | undefined

/** An existing pod, or one that will be created. */
export interface ClaimingPod {
  readonly metadata: { readonly name: string; readonly uid?: string }
  readonly ordinal: number
}

export interface ClaimsPlan {
  readonly create: readonly PersistentVolumeClaim[]
  /** Claims that are being deleted: the pod has to wait for that. */
  readonly beingDeleted: readonly string[]
}

export interface OwnersPlan {
  readonly update: readonly { readonly claim: Claim; readonly ownerReferences: readonly OwnerReference[] }[]
  /** Claims with another controller: the retention policy does not apply to them. */
  readonly conflicting: readonly string[]
}

const templatesOf = ({ spec }: StatefulSet) => spec?.volumeClaimTemplates ?? []

export function planClaims(set: Stored<StatefulSet>, { ordinal }: ClaimingPod, find: FindClaim): ClaimsPlan {
  const create: PersistentVolumeClaim[] = []
  const beingDeleted: string[] = []
  for (const template of templatesOf(set)) {
    const name = claimNameOf(set, template.metadata?.name ?? '', ordinal)
    const claim = find(name)
    if (claim === undefined) create.push(newClaim(set, template as PersistentVolumeClaim, name))
    else if (claim.metadata.deletionTimestamp !== undefined) beingDeleted.push(name)
  }
  return { create, beingDeleted }
}

function newClaim(set: Stored<StatefulSet>, template: PersistentVolumeClaim, name: string): PersistentVolumeClaim {
  const { matchLabels } = set.spec?.selector ?? {}
  const { labels = matchLabels && {} } = template.metadata ?? {}
  return {
    ...template,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name,
      ...(set.metadata.namespace !== undefined && { namespace: set.metadata.namespace }),
      ...(labels !== undefined && { labels: { ...labels, ...matchLabels } }),
    },
  }
}

/** With `whenScaled: Delete`, a claim that a former pod owns will be deleted: a new pod must not use it. */
export function hasStaleClaim(set: Stored<StatefulSet>, pod: ClaimingPod, find: FindClaim): boolean {
  if (policyOf(set).whenScaled === 'Retain') return false
  return templatesOf(set).some(({ metadata }) => {
    const claim = find(claimNameOf(set, metadata?.name ?? '', pod.ordinal))
    return claim !== undefined && isStale(claim, 'v1', 'Pod', pod)
  })
}

export function planClaimOwners(set: Stored<StatefulSet>, pod: ClaimingPod, find: FindClaim): OwnersPlan {
  const update: { claim: Claim; ownerReferences: readonly OwnerReference[] }[] = []
  const conflicting: string[] = []
  for (const { metadata } of templatesOf(set)) {
    const claim = find(claimNameOf(set, metadata?.name ?? '', pod.ordinal))
    if (claim === undefined) continue
    if (hasOtherController(claim, set, pod)) conflicting.push(claim.metadata.name)
    if (!hasExpectedOwners(claim, set, pod)) update.push({ claim, ownerReferences: expectedOwners(claim, set, pod) })
  }
  return { update, conflicting }
}

type Policy = NonNullable<NonNullable<StatefulSet['spec']>['persistentVolumeClaimRetentionPolicy']>

function policyOf({ spec }: StatefulSet): Required<Policy> {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec?.persistentVolumeClaimRetentionPolicy ?? {}
  return { whenDeleted, whenScaled }
}

/** The owner of a claim: the set while the ordinal is in range, the pod when it is scaled down. */
function wantedOwners(set: Stored<StatefulSet>, { ordinal }: ClaimingPod): { readonly set: boolean; readonly pod: boolean } {
  const { whenDeleted, whenScaled } = policyOf(set)
  const isScaledDown = whenScaled === 'Delete' && !isInRange(set, ordinal)
  return { set: whenDeleted === 'Delete' && !isScaledDown, pod: isScaledDown }
}

interface Named {
  readonly metadata: { readonly name: string; readonly uid?: string }
}

const ownersOf = ({ metadata }: Claim) => metadata.ownerReferences ?? []
const isOwner = (claim: Claim, { metadata }: Named) => metadata.uid !== undefined && ownersOf(claim).some(({ uid }) => uid === metadata.uid)
const names = (reference: OwnerReference, apiVersion: string, kind: string, { metadata }: Named) =>
  reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name

/** Its owner is a former object with that name. */
function isStale(claim: Claim, apiVersion: string, kind: string, owner: Named): boolean {
  const reference = ownersOf(claim).find((one) => names(one, apiVersion, kind, owner))
  return reference !== undefined && reference.uid !== owner.metadata.uid
}

function hasOtherController(claim: Claim, set: Stored<StatefulSet>, pod: Named): boolean {
  const { whenDeleted, whenScaled } = policyOf(set)
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false
  return ownersOf(claim).some((reference) => {
    if (names(reference, 'apps/v1', 'StatefulSet', set)) return reference.uid !== set.metadata.uid
    if (names(reference, 'v1', 'Pod', pod)) return reference.uid !== pod.metadata.uid
    return reference.controller === true
  })
}

function hasExpectedOwners(claim: Claim, set: Stored<StatefulSet>, pod: ClaimingPod): boolean {
  // The garbage collector deletes the claim of a former set or pod.
  if (isStale(claim, 'apps/v1', 'StatefulSet', set) || isStale(claim, 'v1', 'Pod', pod)) return true
  if (hasOtherController(claim, set, pod)) return !isOwner(claim, set) && !isOwner(claim, pod)
  const isOurs = ({ uid }: OwnerReference) => uid === set.metadata.uid || uid === pod.metadata.uid
  if (ownersOf(claim).some((reference) => isOurs(reference) && reference.controller !== true)) return false
  const wanted = wantedOwners(set, pod)
  return isOwner(claim, set) === wanted.set && isOwner(claim, pod) === wanted.pod
}

function expectedOwners(claim: Claim, set: Stored<StatefulSet>, pod: ClaimingPod): readonly OwnerReference[] {
  const others = ownersOf(claim).filter(
    (reference) => !names(reference, 'apps/v1', 'StatefulSet', set) && !names(reference, 'v1', 'Pod', pod),
  )
  if (hasOtherController(claim, set, pod)) return others
  const wanted = wantedOwners(set, pod)
  const { name, uid } = pod.metadata
  if (wanted.pod && uid !== undefined) return [...others, controllerReference('v1', 'Pod', { metadata: { name, uid } })]
  return wanted.set ? [...others, controllerReference('apps/v1', 'StatefulSet', set)] : others
}
