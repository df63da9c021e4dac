// Plans of sample Deployments, and what tests read of them.
import type { ReplicaSet } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { conditionOf } from '../plan/conditions.ts'
import { planDeployment } from '../plan/deployment.ts'
import { sizeOf } from '../plan/replica-sets.ts'
import type { DeploymentPlan } from '../plan/snapshot.ts'
import { type SampleDeployment, type SampleSet, sampleDeployment, sampleSet, sampleSnapshot, startMs } from './sample-objects.ts'

export const sync = (deployment: SampleDeployment, sets: readonly SampleSet[], more: Parameters<typeof sampleSnapshot>[2] = {}) =>
  planDeployment(sampleSnapshot(sampleDeployment(deployment), sets.map(sampleSet), more), startMs)

export const created = ({ actions }: DeploymentPlan): ReplicaSet =>
  actions.flatMap((one) => (one.action === 'create-set' ? [one.replicaSet] : []))[0]!
export const sizes = ({ actions }: DeploymentPlan) =>
  Object.fromEntries(
    actions.flatMap((one) =>
      one.action === 'update-set' || one.action === 'create-set' ? [[one.replicaSet.metadata!.name, sizeOf(one.replicaSet)]] : [],
    ),
  )
export const messages = ({ actions }: DeploymentPlan) => actions.flatMap((one) => ('event' in one && one.event ? [one.event.message] : []))
export const progressing = ({ status }: DeploymentPlan) => conditionOf(status?.status?.conditions, 'Progressing')

export const minute = 60_000
export const progressed = (reason: string, agoMs: number, status = 'True') => ({
  type: 'Progressing',
  status,
  reason,
  message: '',
  lastUpdateTime: formatTime(startMs - agoMs),
  lastTransitionTime: formatTime(startMs - agoMs),
})
