// Ours: events about a wait for terminating pods.
import type { Deployment, Stored } from '../../api/types.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { conditionOf, progressReasons } from './plan/conditions.ts'
import type { DeploymentPlan } from './plan/snapshot.ts'
import { describeWait } from './plan/termination-wait.ts'

export class WaitEvents {
  readonly #recorder: EventRecorder
  readonly #reported = new Map<string, string>()

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder
  }

  report(key: string, deployment: Stored<Deployment>, { wait, status }: DeploymentPlan): void {
    if (wait === undefined) return
    const conditions = (status ?? deployment).status?.conditions
    const isOverdue = conditionOf(conditions, 'Progressing')?.reason === progressReasons.timedOut
    const now = `${deployment.metadata.generation} ${isOverdue}`
    if (this.#reported.get(key) === now) return
    this.#reported.set(key, now)
    this.#recorder.record(deployment, isOverdue ? 'Warning' : 'Normal', 'WaitingForTermination', describeWait(wait))
  }

  delete(key: string): void {
    this.#reported.delete(key)
  }
}
