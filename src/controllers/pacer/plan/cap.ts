// How many pods of a workload may be admitted at a time.
// Ours: the pacer exists in Rollcall only.
import type { Deployment, Job, ReplicaSet } from '../../../api/types.ts'
import { maxReplicas } from '../../deployment/plan/fenceposts.ts'

/** replicas + maxSurge; without a surge under Recreate. */
export const deploymentCap = (deployment: Deployment): number => maxReplicas(deployment)

export const replicaSetCap = ({ spec }: ReplicaSet): number => spec?.replicas ?? 1

/** Of a suspended Job no pod is admitted: its controller deletes them. */
export const jobCap = ({ spec }: Job): number => (spec?.suspend === true ? 0 : (spec?.parallelism ?? 1))
