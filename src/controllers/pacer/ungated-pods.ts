// New pods without the pacer's gate, of workloads that opted in by the annotation or by the label of their namespace: the admission of the
// pacer did not add it. Such pods do not wait, so the workload can exceed its cap.
// Ours: the pacer exists in Rollcall only.
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import type { Informer } from '../../runtime/informer.ts'
import { isActive } from '../shared/plan/pod-state.ts'
import { hasPacedOwner, isOptedIn, optInValue, settingOf } from './plan/opt-in.ts'
import { isGated, type Pacing, pacerGate } from './plan/pacing.ts'

const shownNames = 3
/** Pods that are created sooner after the opt-in may lack the gate: the list for the admission policy is written meanwhile. */
const settlingMs = 5_000
/** A workload is reported for so long after its last new pod. */
const reportedMs = 10 * 60_000

interface Arrival {
  readonly atMs: number
  readonly hasGate: boolean
}

interface UngatedPodsOptions {
  readonly clock: Clock
  readonly pods: Informer<Pod>
  readonly recorder: EventRecorder
  /** The label of a namespace. */
  labelOf(namespace: string): string | undefined
}

export class UngatedPods {
  readonly #options: UngatedPodsOptions
  /** By uid: new pods whose workload has not been reconciled since. */
  readonly #arrived = new Map<string, Arrival>()
  /** By workload: since when it has been known that it opted in. */
  readonly #optedIn = new Map<string, number>()
  /** By workload: when its last pod without the gate arrived. */
  readonly #bypassed = new Map<string, number>()

  constructor(options: UngatedPodsOptions) {
    this.#options = options
    const { pods, clock } = options
    pods.onChange((current, previous) => {
      if (current === undefined) this.#arrived.delete(previous!.metadata.uid)
      // A pod that existed before the pacer started may have been released by another replica.
      else if (previous === undefined && pods.hasSynced && isActive(current) && hasPacedOwner(current))
        this.#arrived.set(current.metadata.uid, { atMs: clock.now(), hasGate: isGated(current) })
    })
  }

  /** The workloads, such as `Deployment default/web`, whose last new pods had no gate. */
  names(): readonly string[] {
    const fromMs = this.#options.clock.now() - reportedMs
    return [...this.#bypassed].filter(([, atMs]) => atMs > fromMs).map(([name]) => name)
  }

  /** Records an Event if new pods without the gate exceed the cap. Each pod is reported at most once. */
  report(name: string, kind: string, subject: KubernetesObject, pods: readonly Stored<Pod>[], { admitted }: Pacing, cap: number): void {
    const found: Stored<Pod>[] = []
    let isBypassed: boolean | undefined
    const sinceMs = this.#optedInSince(name, kind, subject)
    for (const pod of pods) {
      const arrival = this.#arrived.get(pod.metadata.uid)
      if (arrival === undefined) continue
      this.#arrived.delete(pod.metadata.uid)
      if (!arrival.hasGate) found.push(pod)
      // A pod that was created with a node cannot have a gate; its controller is not one that is paced.
      if (sinceMs !== undefined && arrival.atMs >= sinceMs + settlingMs) isBypassed = isBypassed === true || !arrival.hasGate
    }
    if (isBypassed === true) this.#bypassed.set(name, this.#options.clock.now())
    else if (isBypassed === false) this.#bypassed.delete(name)
    if (found.length === 0 || admitted <= cap || settingOf(kind, subject) !== optInValue) return
    const names = found.slice(0, shownNames).map(({ metadata }) => metadata.name)
    const more = found.length - names.length
    this.#options.recorder.record(
      subject,
      'Warning',
      'PacerBypassed',
      `${found.length === 1 ? 'A pod was' : `${found.length} pods were`} created without the scheduling gate ${pacerGate}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ${admitted} pods are admitted, and ${cap} may be. Check the admission of the pacer, or put the gate into the pod template.`,
    )
  }

  delete(name: string): void {
    this.#optedIn.delete(name)
    this.#bypassed.delete(name)
  }

  #optedInSince(name: string, kind: string, subject: KubernetesObject): number | undefined {
    if (isOptedIn(kind, subject, this.#options.labelOf(subject.metadata?.namespace ?? '')))
      return getOrAdd(this.#optedIn, name, () => this.#options.clock.now())
    this.delete(name)
    return undefined
  }
}
