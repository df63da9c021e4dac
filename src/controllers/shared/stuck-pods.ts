// Reports pods that are still terminating longer than rollcall.dev/stuck-termination-timeout after their grace period, once each.
// After a restart of the controller they are reported again, which increases the count of the Event.
// Ours: pods that do not terminate are reported only here.
import type { KubernetesObject, Pod } from '../../api/types.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'

export class StuckPods {
  readonly #recorder: EventRecorder
  readonly #reported = new Map<string, ReadonlySet<string>>()

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder
  }

  /** `pods` are all pods that are stuck now. */
  report(key: string, pods: readonly Pod[], owner: KubernetesObject): void {
    const known = this.#reported.get(key)
    if (pods.length === 0 && known === undefined) return
    for (const { metadata } of pods)
      if (!known?.has(metadata?.uid ?? ''))
        this.#recorder.record(
          owner,
          'Warning',
          'StuckTermination',
          `Pod ${metadata?.name} is still terminating and no longer holds room: its grace period ended at ${metadata?.deletionTimestamp}, longer ago than rollcall.dev/stuck-termination-timeout allows`,
        )
    if (pods.length === 0) this.#reported.delete(key)
    else this.#reported.set(key, new Set(pods.map(({ metadata }) => metadata?.uid ?? '')))
  }

  delete(key: string): void {
    this.#reported.delete(key)
  }
}
