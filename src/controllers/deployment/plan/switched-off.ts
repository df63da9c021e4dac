// terminatingAsActive that was turned off on a Deployment which keeps TerminationComplete. A ReplicaSet of 5 with 3 pods and 2 terminating ones
// would replace these at once: 7 pods, where there may be 6. Such a ReplicaSet keeps the setting until there is room.
// Ours: terminatingAsActive is a setting of the proposals.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { terminatingAsActiveAnnotation, terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { annotationOf, changedAnnotations } from './annotations.ts'
import { type Account, accountIn, accountOf } from './capacity.ts'
import { byAge } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

const none: ReadonlySet<string> = new Set()

/** The uids of the ReplicaSets that keep terminatingAsActive. The oldest one is the first to lose it. */
export function keptAsActive(snapshot: DeploymentSnapshot, { policy }: DeploymentSettings): ReadonlySet<string> {
  const { replicaSets } = snapshot
  const switchedOff = policy === 'TerminationComplete' ? replicaSets.filter((set) => isSwitchedOff(set, snapshot)) : []
  if (switchedOff.length === 0) return none
  const account = accountOf(snapshot, replicaSets)
  let { room } = account
  const kept = new Set<string>()
  for (const set of switchedOff.sort(byAge)) {
    const { replacements } = accountIn(account, set)
    if (replacements > room) kept.add(set.metadata.uid)
    else room -= replacements
  }
  return kept
}

/** Whether a ReplicaSet has a terminatingAsActive that its Deployment no longer has. */
const isSwitchedOff = (set: ReplicaSet, { deployment, gates }: DeploymentSnapshot): boolean =>
  gates.TerminatingAsActive && terminatingAsActiveOf(set).value === true && terminatingAsActiveOf(deployment).value !== true

/** Whether a ReplicaSet keeps terminatingAsActive, because it would create more pods without it. */
export const isKeptAsActive = (set: ReplicaSet, snapshot: DeploymentSnapshot, account: Account): boolean =>
  isSwitchedOff(set, snapshot) && accountIn(account, set).replacements > 0

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
