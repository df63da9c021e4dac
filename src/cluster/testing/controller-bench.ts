// A server and a client in this process on an empty memory store, for the tests of controllers. Time advances only when a
// test advances it; timers that are due fire.
import { coreEvents, kinds, namespaces, pods } from '../../api/kinds.ts'
import { defaultFeatureGates, type FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { type Clock, formatTime, realClock } from '../../base/clock.ts'
import { seededRandom } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { ControllerParts } from '../../controllers/controller-definition.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { createRest } from '../../server/rest/create-rest.ts'
import { followChanges } from '../../server/rest/store-changes.ts'
import { checkPodCap, type PodCapChecker } from '../../simulate/invariants/pod-cap-checker.ts'
import { openMemoryStore } from '../../store/memory-store.ts'
import type { Store } from '../../store/store.ts'
import { createInProcessClient } from '../in-process-client.ts'
import { reportingDeletions } from '../virtual-cluster.ts'
import { withUsableNodes } from './usable-nodes.ts'

export interface ControllerBench {
  readonly client: Client
  readonly store: Store
  readonly clock: Clock
  readonly failures: string[]
  /** Read by the server and by the controllers; changes take effect at once. */
  readonly gates: { -readonly [Name in keyof FeatureGates]: boolean }
  /** Checks every write. A violation makes `stop` reject. */
  readonly podCap: PodCapChecker
  /** Advances time, and runs all timers that are due. */
  pass(ms: number): void
  /** Resolves to the result of `read` when it is neither undefined nor false. Time advances by a millisecond between two calls. */
  until<T>(what: string, read: () => Promise<T | undefined | false> | T | undefined | false): Promise<T>
  /** Resolves when nothing has been written for a while. */
  settle(): Promise<void>
  /** `Reason: message` of every event, in the order of their names. */
  events(): Promise<string[]>
  podsOf(namespace?: string): Promise<readonly Stored<Pod>[]>
  /** Plays the node: assigns the pod and reports it as running and ready, or as failed. */
  report(pod: Stored<Pod>, what: 'ready' | 'running' | 'failed', node?: string): Promise<void>
  /** Plays the node: terminating pods terminate. */
  finishTerminating(count?: number): Promise<void>
  stopControllers(): Promise<void>
  /** Stops the controllers at any point, and starts new ones from the stored objects. */
  restartControllers(): Promise<void>
  /** Rejects when a Deployment had too many pods at some moment. */
  stop(): Promise<void>
}

export interface ControllerBenchOptions {
  readonly gates?: Partial<FeatureGates>
  start(parts: ControllerParts): RunningController | readonly RunningController[]
  /** The client of the controllers and their informers, for example one that observes changes late. */
  wrapClient?(client: Client): Client
}

const quietRounds = 12

/** The namespace `default` exists. */
export async function openControllerBench(options: ControllerBenchOptions): Promise<ControllerBench> {
  const gates: ControllerBench['gates'] = { ...defaultFeatureGates, ...options.gates }
  const store = openMemoryStore()
  const { clock, pass } = steppedClock()
  const random = seededRandom(7)
  const rest = createRest({ store, gates, clock, random })
  const client = withUsableNodes(createInProcessClient({ rest, kinds, name: 'tester' }))
  await client.create(namespaces, undefined, { metadata: { name: 'default' } })

  const podCap = checkPodCap(gates, { now: () => clock.now(), lagMs: () => 0 })
  const stopChecks = followChanges(store, [podCap.onChange])
  const controllerClient = reportingDeletions(client, podCap.deletedByController)
  const ownClient = options.wrapClient?.(controllerClient) ?? controllerClient
  const failures: string[] = []
  const onFailure = (what: string, error: unknown) => failures.push(`${what}: ${(error as Error).message}`)
  const startControllers = async () => {
    const informers = new SharedInformers({ client: ownClient, clock, onFailure })
    const recorder = createEventRecorder({ client, clock, component: 'tested', onFailure })
    const started = options.start({ client: ownClient, clock, random, gates, informers, recorder, onFailure })
    const running = Array.isArray(started) ? started : [started as RunningController]
    informers.start()
    await Promise.all([informers.synced, ...running.map(({ synced }) => synced)])
    return async () => {
      informers.stop()
      await Promise.all(running.map((controller) => controller.stop()))
    }
  }
  let stopRunning = await startControllers()

  const round = () => new Promise<void>((resolve) => realClock.after(0, resolve))
  const refOf = ({ metadata }: Stored<Pod>) => ({ namespace: metadata.namespace ?? '', name: metadata.name })
  const podsOf = async (namespace = 'default') => (await client.list(pods, { namespace })).items
  return {
    client,
    store,
    clock,
    failures,
    gates,
    podCap,
    pass,
    podsOf,
    async until(what, read) {
      for (let looks = 0; looks < 2000; looks++) {
        const found = await read()
        if (found !== undefined && found !== false) return found
        await round()
        pass(1)
      }
      throw new Error(`Timed out waiting until ${what}`)
    },
    async settle() {
      for (let quiet = 0, revision = -1; quiet < quietRounds; ) {
        await round()
        quiet = store.revision === revision ? quiet + 1 : 0
        revision = store.revision
      }
    },
    async events() {
      const { items } = await client.list(coreEvents, { namespace: 'default' })
      return items.map(({ reason, message }) => `${reason}: ${message}`)
    },
    async report(pod, what, node = 'node-1') {
      if (pod.spec?.nodeName === undefined)
        await client.createSubresource(pods, refOf(pod), 'binding', {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: pod.metadata.name },
          target: { apiVersion: 'v1', kind: 'Node', name: node },
        })
      const lastTransitionTime = formatTime(clock.now())
      const conditions = what === 'ready' ? [{ type: 'Ready', status: 'True', lastTransitionTime }] : []
      const phase = what === 'failed' ? 'Failed' : 'Running'
      await client.patch(pods, refOf(pod), 'merge', { status: { phase, conditions } }, { subresource: 'status' })
    },
    async finishTerminating(count = Number.POSITIVE_INFINITY) {
      let left = count
      for (const pod of await podsOf())
        if (pod.metadata.deletionTimestamp !== undefined && left-- > 0) await client.delete(pods, refOf(pod), { gracePeriodSeconds: 0 })
    },
    stopControllers: () => stopRunning(),
    async restartControllers() {
      await stopRunning()
      stopRunning = await startControllers()
    },
    async stop() {
      await stopRunning()
      stopChecks()
      await store.close()
      if (podCap.excesses.length > 0) throw new Error(`Too many pods: ${podCap.excesses.slice(0, 10).join('; ')}`)
    },
  }
}

function steppedClock(startMs = Date.UTC(2026, 10, 1, 12)): { readonly clock: Clock; pass(ms: number): void } {
  let nowMs = startMs
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  return {
    clock: {
      now: () => nowMs,
      after(delayMs, run) {
        if (delayMs <= 0) return realClock.after(0, run)
        const timer = { atMs: nowMs + delayMs, run }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    },
    pass(ms) {
      nowMs += ms
      for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs)) {
        if (timers.delete(timer)) timer.run()
      }
    },
  }
}
