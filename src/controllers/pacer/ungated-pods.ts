// Reports pods without the pacer's gate of workloads that opted in by an annotation: no admission plugin or webhook added the gate.
// Such pods do not wait, so the workload can exceed its cap.
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import type { Informer } from '../../runtime/informer.ts'
import { isActive } from '../shared/plan/pod-state.ts'
import { hasPacedOwner, optInValue, settingOf } from './plan/opt-in.ts'
import { isGated, type Pacing, pacerGate } from './plan/pacing.ts'

const shownNames = 3

export class UngatedPods {
  readonly #recorder: EventRecorder
  /** The uids of new pods whose workload has not been reconciled since. */
  readonly #found = new Set<string>()

  constructor(pods: Informer<Pod>, recorder: EventRecorder) {
    this.#recorder = recorder
    pods.onChange((current, previous) => {
      if (current === undefined) this.#found.delete(previous!.metadata.uid)
      // A pod that existed before the pacer started may have been released by another replica.
      else if (previous === undefined && pods.hasSynced && isActive(current) && !isGated(current) && hasPacedOwner(current))
        this.#found.add(current.metadata.uid)
    })
  }

  /** Records an Event if new pods without the gate exceed the cap. Each pod is reported at most once. */
  report(kind: string, subject: KubernetesObject, pods: readonly Stored<Pod>[], { admitted }: Pacing, cap: number): void {
    const found = pods.filter(({ metadata }) => this.#found.delete(metadata.uid))
    if (found.length === 0 || admitted <= cap || settingOf(kind, subject) !== optInValue) return
    const names = found.slice(0, shownNames).map(({ metadata }) => metadata.name)
    const more = found.length - names.length
    this.#recorder.record(
      subject,
      'Warning',
      'PacerBypassed',
      `${found.length === 1 ? 'A pod was' : `${found.length} pods were`} created without the scheduling gate ${pacerGate}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ${admitted} pods are admitted, and ${cap} may be. Check the admission of the pacer, or put the gate into the pod template.`,
    )
  }
}
