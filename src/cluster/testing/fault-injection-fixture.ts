// A fixture that injects faults into the controllers of Jobs and StatefulSets: watch events are delayed, writes fail before or
// after they are applied, controllers restart, and pods end at random.

import { jobs, pods } from '../../api/kinds.ts'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import { fixedKinds } from '../../api/machinery/kind-set.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { type Random, seededRandom } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { ControllerParts } from '../../controllers/controller-definition.ts'
import { startGarbageCollector } from '../../controllers/garbage/garbage-collector.ts'
import { startJobController } from '../../controllers/job/job-controller.ts'
import { isTerminal } from '../../controllers/shared/plan/pod-state.ts'
import { startStatefulSetController } from '../../controllers/stateful-set/stateful-set-controller.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { wrapWrites } from '../wrapped-calls.ts'
import { type ControllerBench, openControllerBench } from './controller-bench.ts'

type RandomChoices = ReturnType<typeof randomChoicesOf>

function randomChoicesOf(random: Random) {
  const below = (limit: number) => Math.floor(random.next() * limit)
  return { below, one: <T>(list: readonly T[]): T | undefined => list[below(list.length)] }
}

export class FaultInjectionFixture {
  readonly bench: ControllerBench
  readonly choose: RandomChoices
  /** The last state of every pod that ever existed. */
  readonly everSeen = new Map<string, Stored<Pod>>()
  /** The existing pods. */
  readonly present = new Map<string, Stored<Pod>>()
  /** Called after every change of a pod. */
  check: () => void = () => {}
  readonly breaches: string[] = []
  /** Watch events that are not delivered yet, by resource. */
  readonly #held = new Map<string, (() => void)[]>()
  #failing = { before: 0, after: 0 }
  #parts: ControllerParts | undefined
  #informers: SharedInformers | undefined
  #running: readonly RunningController[] = []

  static async open(seed: number, gates: Partial<FeatureGates> = {}): Promise<FaultInjectionFixture> {
    let fixture: FaultInjectionFixture | undefined
    let parts: ControllerParts | undefined
    const bench = await openControllerBench({
      gates,
      // The controllers are started below, on informers that can be replaced.
      start: (given) => {
        parts = given
        return []
      },
      wrapClient: (client) => faultyClient(client, () => fixture),
    })
    fixture = new FaultInjectionFixture(bench, seed, parts!)
    await fixture.startControllers()
    return fixture
  }

  private constructor(bench: ControllerBench, seed: number, parts: ControllerParts) {
    this.bench = bench
    this.choose = randomChoicesOf(seededRandom(seed))
    this.#parts = parts
    const { client, store } = bench
    client.watch(
      pods,
      { resourceVersion: String(store.revision) },
      {
        onEvents: (events) => {
          for (const { type, object } of events) {
            this.everSeen.set(object.metadata.uid, object)
            if (type === 'DELETED') this.present.delete(object.metadata.uid)
            else this.present.set(object.metadata.uid, object)
            this.check()
          }
        },
        onEnd: () => {},
      },
    )
  }

  deliver(plural: string, run: () => void): void {
    const held = this.#held.get(plural)
    if (held === undefined) run()
    else held.push(run)
  }

  /** Holds back the watch events of this resource. */
  hold(plural: string): void {
    if (!this.#held.has(plural)) this.#held.set(plural, [])
  }

  /** Delivers the next `count` events of this resource. */
  deliverNext(plural: string, count: number): void {
    for (const run of this.#held.get(plural)?.splice(0, count) ?? []) run()
  }

  /** Delivers all events again. */
  release(): void {
    for (const [plural, held] of this.#held) {
      this.#held.delete(plural)
      for (const run of held) run()
    }
  }

  failNext(before: number, after: number): void {
    this.#failing = { before, after }
  }

  async write<T>(run: () => Promise<T>): Promise<T> {
    const failing = this.#failing
    if (failing.before > 0) {
      failing.before--
      throw failure(500, 'InternalError', 'not applied')
    }
    const answer = await run()
    if (failing.after > 0) {
      failing.after--
      throw failure(500, 'InternalError', 'applied, but the response is lost')
    }
    return answer
  }

  async startControllers(): Promise<void> {
    const { client, clock, onFailure } = this.#parts!
    this.#informers = new SharedInformers({ client, clock, onFailure })
    const parts = { ...this.#parts!, informers: this.#informers }
    this.#running = [
      startJobController(parts),
      startStatefulSetController(parts),
      startGarbageCollector({ client, clock, recorder: parts.recorder, kinds: fixedKinds([jobs, pods] as never), onFailure }),
    ]
    this.#informers.start()
    await Promise.all([this.#informers.synced, ...this.#running.map(({ synced }) => synced)])
  }

  /** The controllers finish their current work; delayed events are dropped. */
  async stopControllers(): Promise<void> {
    this.#informers?.stop()
    await Promise.all(this.#running.map((controller) => controller.stop()))
    this.#held.clear()
  }

  livePods(): Stored<Pod>[] {
    return [...this.present.values()].filter((pod) => !isTerminal(pod))
  }

  async deletePod(pod: Stored<Pod>, gracePeriodSeconds?: number): Promise<void> {
    await ignoreMissing(this.bench.client.delete(pods, refOf(pod), gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }))
  }

  async setPhase(pod: Stored<Pod>, phase: 'Running' | 'Succeeded' | 'Failed', isReady = false): Promise<void> {
    const time = formatTime(this.bench.clock.now())
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: time }]
    const exitCode = phase === 'Failed' ? 1 : 0
    const state = phase === 'Running' ? { running: { startedAt: time } } : { terminated: { exitCode, finishedAt: time } }
    const containerStatuses = [{ name: 'c', image: 'x', imageID: '', ready: isReady, restartCount: 0, state }]
    const patch = { status: { phase, conditions, containerStatuses } }
    await ignoreMissing(this.bench.client.patch(pods, refOf(pod), 'merge', patch, { subresource: 'status' }))
  }

  /** The node reports the end of the pod, and deletes it. */
  async finish(pod: Stored<Pod>): Promise<void> {
    if (!isTerminal(pod)) await this.setPhase(pod, 'Failed')
    await this.deletePod(pod, 0)
  }

  async change(resource: Resource, name: string, patch: object): Promise<void> {
    const ref = { namespace: 'default', name }
    await this.bench.client.patch(resource as Resource<KubernetesObject>, ref, Array.isArray(patch) ? 'json' : 'merge', patch)
  }

  async stop(): Promise<void> {
    await this.stopControllers()
    await this.bench.stop()
  }
}

const refOf = ({ metadata }: Stored<Pod>) => ({ namespace: metadata.namespace ?? '', name: metadata.name })

async function ignoreMissing(done: Promise<unknown>): Promise<void> {
  try {
    await done
  } catch (error) {
    if ((error as { status?: { code?: number } }).status?.code !== 404) throw error
  }
}

function faultyClient(client: Client, fixture: () => FaultInjectionFixture | undefined): Client {
  const write = <T>(run: () => Promise<T>): Promise<T> => fixture()?.write(run) ?? run()
  return {
    ...wrapWrites(client, write),
    watch: (resource, request, handlers) => {
      let isOpen = true
      const close = client.watch(resource, request, {
        ...handlers,
        onEvents: (events) => fixture()!.deliver(resource.plural, () => isOpen && handlers.onEvents(events)),
      })
      return () => {
        isOpen = false
        close()
      }
    },
  }
}
