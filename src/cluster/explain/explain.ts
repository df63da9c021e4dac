// Explains an object of any kind that `rollcall explain` knows.
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { explainDaemonSet } from './explain-daemon-set.ts'
import { explainDeployment } from './explain-deployment.ts'
import { explainJob } from './explain-job.ts'
import { explainPod } from './explain-pod.ts'
import { explainReplicaSet } from './explain-replica-set.ts'
import { explainStatefulSet } from './explain-stateful-set.ts'
import type { Explanation, Surroundings } from './explanation.ts'

const explainers = {
  Deployment: explainDeployment,
  ReplicaSet: explainReplicaSet,
  StatefulSet: explainStatefulSet,
  DaemonSet: explainDaemonSet,
  Job: explainJob,
  Pod: explainPod,
}

export const explainedKinds: readonly string[] = Object.keys(explainers)

/** Undefined for a kind that is not explained. */
export function explain(kind: string, object: Stored<KubernetesObject>, surroundings: Surroundings): Explanation | undefined {
  const explainer = (explainers as Readonly<Record<string, (object: never, surroundings: Surroundings) => Explanation>>)[kind]
  return explainer?.(object as never, surroundings)
}
