// Tells of annotations that cannot be read, once each.
import type { KubernetesObject } from '../../api/types.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { invalidAnnotationReason } from './plan/annotations.ts'

export class ProblemTeller {
  readonly #recorder: EventRecorder
  readonly #told = new Map<string, string>()

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder
  }

  tell(key: string, about: KubernetesObject, problems: readonly (string | undefined)[]): void {
    const text = problems.filter((problem) => problem !== undefined).join('\n')
    if ((this.#told.get(key) ?? '') === text) return
    this.#told.set(key, text)
    for (const problem of problems) if (problem !== undefined) this.#recorder.record(about, 'Warning', invalidAnnotationReason, problem)
  }

  forget(key: string): void {
    this.#told.delete(key)
  }
}
