// Removes duplicate ownerReferences, with a warning.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.dedupOwnerReferences, dedupOwnerReferencesAndAddWarning
import type { NewObject } from './write-steps.ts'

export function dropDuplicateOwners({ metadata }: NewObject, warn: ((sentence: string) => void) | undefined): void {
  const owners = metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  const kept = owners.filter((owner) => {
    const identity = JSON.stringify([owner.apiVersion, owner.kind, owner.name, owner.uid, owner.controller, owner.blockOwnerDeletion])
    if (!seen.has(identity)) {
      seen.add(identity)
      return true
    }
    duplicates.add(owner.uid)
    return false
  })
  if (duplicates.size === 0) return
  metadata.ownerReferences = kept
  warn?.(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(', ')}`,
  )
}
