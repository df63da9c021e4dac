// Reports annotations with invalid values as Events: each problem of an object once, until its problems change.
// Ours: the annotations are those of the proposals.
import type { KubernetesObject } from '../../api/types.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { invalidAnnotationReason } from './plan/annotations.ts'

export class AnnotationProblems {
  readonly #recorder: EventRecorder
  readonly #reported = new Map<string, string>()

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder
  }

  report(key: string, object: KubernetesObject, problems: readonly (string | undefined)[]): void {
    const text = problems.filter((problem) => problem !== undefined).join('\n')
    if ((this.#reported.get(key) ?? '') === text) return
    this.#reported.set(key, text)
    for (const problem of problems) if (problem !== undefined) this.#recorder.record(object, 'Warning', invalidAnnotationReason, problem)
  }

  delete(key: string): void {
    this.#reported.delete(key)
  }
}
