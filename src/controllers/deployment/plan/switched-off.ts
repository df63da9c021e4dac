// terminatingAsActive that was turned off on a Deployment which keeps TerminationComplete. A ReplicaSet of 5 with 3 pods and 2 terminating ones
// would replace these at once: 7 pods, where there may be 6. Such a ReplicaSet keeps the setting until there is room.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { terminatingAsActiveAnnotation, terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { annotationOf, changedAnnotations } from './annotations.ts'
import { replacementsWithoutWait, roomAtThisMoment } from './capacity.ts'
import { byAge } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

const none: ReadonlySet<string> = new Set()

/** The uids of the ReplicaSets that keep terminatingAsActive. The oldest one is the first to lose it. */
export function keptAsActive(snapshot: DeploymentSnapshot, { policy }: DeploymentSettings): ReadonlySet<string> {
  const { replicaSets } = snapshot
  const waiting = policy === 'TerminationComplete' ? replicaSets.filter((set) => replacementsDue(set, snapshot) > 0) : []
  if (waiting.length === 0) return none
  let room = roomAtThisMoment(snapshot, replicaSets)
  const kept = new Set<string>()
  for (const set of waiting.sort(byAge)) {
    const replacements = replacementsDue(set, snapshot)
    if (replacements > room) kept.add(set.metadata.uid)
    else room -= replacements
  }
  return kept
}

/** How many pods the ReplicaSet creates at once when it loses a terminatingAsActive that its Deployment no longer has. */
export function replacementsDue(set: ReplicaSet, snapshot: DeploymentSnapshot): number {
  const isSwitchedOff = terminatingAsActiveOf(set).value === true && terminatingAsActiveOf(snapshot.deployment).value !== true
  return isSwitchedOff && snapshot.gates.TerminatingAsActive ? replacementsWithoutWait(set, snapshot) : 0
}

/** The snapshot for what a ReplicaSet carries: one of `kept` carries its own terminatingAsActive, as if the Deployment still had it. */
export function snapshotFor(set: Stored<ReplicaSet>, snapshot: DeploymentSnapshot, kept: ReadonlySet<string>): DeploymentSnapshot {
  if (!kept.has(set.metadata.uid)) return snapshot
  const { deployment } = snapshot
  const annotations = changedAnnotations(deployment.metadata.annotations, {
    [terminatingAsActiveAnnotation]: annotationOf(set, terminatingAsActiveAnnotation),
  })
  const { terminatingAsActive } = set.spec ?? {}
  const { terminatingAsActive: _switchedOff, ...rest } = deployment.spec!
  const spec = { ...rest, ...(terminatingAsActive !== undefined && { terminatingAsActive }) }
  const metadata = { ...deployment.metadata, ...(annotations !== undefined && { annotations }) }
  return { ...snapshot, deployment: { ...deployment, metadata, spec } }
}
