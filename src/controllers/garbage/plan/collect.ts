// The decision of the garbage collector for one object, with the rules of Kubernetes.
// Kubernetes: pkg/controller/garbagecollector.GarbageCollector.attemptToDeleteItem, GarbageCollector.classifyReferences
// Kubernetes: pkg/controller/garbagecollector.GarbageCollector.processDeletingDependentsItem, GraphBuilder.processTransitions
import type { OwnerReference } from '../../../api/types.ts'

export const orphanFinalizer = 'orphan'
export const foregroundFinalizer = 'foregroundDeletion'

/** absent: it does not exist, or another object has its name. waiting: it is being deleted in the foreground. */
export type OwnerState = 'solid' | 'absent' | 'waiting'

export interface GarbageItem {
  readonly ownerReferences: readonly OwnerReference[]
  readonly finalizers: readonly string[]
  readonly isBeingDeleted: boolean
}

export interface Dependent {
  readonly uid: string
  /** Its reference to this item has blockOwnerDeletion. */
  readonly blocksOwner: boolean
  readonly isBeingDeleted: boolean
  /** It waits for the deletion of its own dependents. */
  readonly isDeletingDependents: boolean
}

type GarbagePlan =
  | { readonly action: 'none' }
  | { readonly action: 'delete'; readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan'; readonly unblockOwners: boolean }
  /** Some owners still exist: the references to the others are removed. */
  | { readonly action: 'drop-references'; readonly uids: readonly string[] }
  /** Foreground deletion: dependents are deleted first. `done` when none of them blocks any more. */
  | { readonly action: 'delete-dependents'; readonly uids: readonly string[]; readonly done: boolean }
  | { readonly action: 'orphan-dependents'; readonly uids: readonly string[] }

const none: GarbagePlan = { action: 'none' }

export function planCollect(
  item: GarbageItem,
  ownerState: (reference: OwnerReference) => OwnerState,
  dependents: readonly Dependent[],
): GarbagePlan {
  if (item.isBeingDeleted) return planDeleting(item, dependents)
  if (item.ownerReferences.length === 0) return none
  const states = item.ownerReferences.map((reference) => ({ reference, state: ownerState(reference) }))
  const solid = states.some(({ state }) => state === 'solid')
  const absent = states.filter(({ state }) => state !== 'solid').map(({ reference }) => reference.uid)
  if (solid) return absent.length === 0 ? none : { action: 'drop-references', uids: absent }
  if (states.some(({ state }) => state === 'waiting') && dependents.length > 0) {
    // An owner waits for this item, which has dependents of its own: they are deleted first. A dependent that is itself waiting
    // may form a cycle, so this item stops blocking its owners.
    return {
      action: 'delete',
      propagationPolicy: 'Foreground',
      unblockOwners: dependents.some((dependent) => dependent.isDeletingDependents),
    }
  }
  return { action: 'delete', propagationPolicy: policyOf(item.finalizers), unblockOwners: false }
}

function policyOf(finalizers: readonly string[]): 'Background' | 'Foreground' | 'Orphan' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

function planDeleting({ finalizers }: GarbageItem, dependents: readonly Dependent[]): GarbagePlan {
  if (finalizers.includes(orphanFinalizer)) return { action: 'orphan-dependents', uids: dependents.map(({ uid }) => uid) }
  if (!finalizers.includes(foregroundFinalizer)) return none
  if (!dependents.some(({ blocksOwner }) => blocksOwner)) return { action: 'delete-dependents', uids: [], done: true }
  // The others are deleted too, but not waited for.
  return {
    action: 'delete-dependents',
    uids: dependents.filter(({ isBeingDeleted }) => !isBeingDeleted).map(({ uid }) => uid),
    done: false,
  }
}
