// Random changes by users and failures of machines: a Deployment never has too many pods (the bench checks every write), reaches
// its spec, and then writes nothing any more.

import { describe, expect, it } from 'vitest'
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { failure } from '../../api/machinery/status-error.ts'
import { seededRandom } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import {
  beforeScaleAnnotation,
  type DeploymentSpec,
  everyPolicy,
  isBeingDeleted,
  type PlayedDeployment,
  playDeployment,
  rolling,
} from '../../cluster/testing/deployment-player.ts'
import { startReplicaSetController } from '../replica-set/replica-set-controller.ts'
import { startDeploymentController } from './deployment-controller.ts'

const steps = 60
const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
const policies = [null, ...everyPolicy.slice(1), 'TerminationComplete', 'TerminationComplete']
const strategies = [
  rolling(1, 1),
  rolling(0, 1),
  rolling(2, 0),
  rolling('25%', '25%'),
  rolling('100%', '50%'),
  { type: 'Recreate', rollingUpdate: null },
]

/** A client whose writes fail now and then, also after they were done, and whose watches are late. */
class UnreliableClient {
  isLate = false
  failsOneIn = 0
  #late: { readonly plural: string; readonly deliver: () => void }[] = []
  readonly #below: (limit: number) => number

  constructor(below: (limit: number) => number) {
    this.#below = below
  }

  wrap(client: Client): Client {
    return {
      ...client,
      create: (...args) => this.#try(() => client.create(...args)),
      update: (...args) => this.#try(() => client.update(...args)),
      updateStatus: (...args) => this.#try(() => client.updateStatus(...args)),
      delete: (...args) => this.#try(() => client.delete(...args)),
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => {
            if (!this.isLate && this.#late.length === 0) handlers.onEvents(events)
            else for (const event of events) this.#late.push({ plural: resource.plural, deliver: () => handlers.onEvents([event]) })
          },
        }),
    }
  }

  async #try<T>(write: () => Promise<T>): Promise<T> {
    const chance = this.failsOneIn === 0 ? 2 : this.#below(this.failsOneIn)
    if (chance === 0) throw failure(500, 'InternalError', 'chance')
    const answer = await write()
    if (chance === 1) throw failure(500, 'InternalError', 'chance took the answer')
    return answer
  }

  deliver(count: number, plural?: string): void {
    for (let left = count; left > 0; left--) {
      const at = this.#late.findIndex((one) => plural === undefined || one.plural === plural)
      if (at < 0) return
      this.#late.splice(at, 1)[0]!.deliver()
    }
  }

  heal(): void {
    this.isLate = false
    this.failsOneIn = 0
    this.deliver(Number.POSITIVE_INFINITY)
  }
}

async function runRandomly(seed: number): Promise<{ readonly bench: ControllerBench; readonly web: PlayedDeployment }> {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random.next() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const client = new UnreliableClient(below)
  const bench = await openControllerBench({
    gates: { ExtendedWorkloadConditions: below(2) === 0 },
    start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)],
    wrapClient: (one) => client.wrap(one),
  })
  const web = playDeployment(bench)
  const podRef = (name: string) => ({ namespace: 'default', name })
  const here = async () => (await bench.podsOf()).filter((pod) => !isBeingDeleted(pod) && pod.status?.phase !== 'Failed')
  const dropCount = (resource: typeof replicaSets | typeof deployments, name: string) =>
    bench.client.patch(resource as Kind as typeof pods, podRef(name), 'merge', { status: { terminatingReplicas: null } } as object, {
      subresource: 'status',
    })
  const restart = async () => {
    client.heal()
    await bench.restartControllers()
  }
  /** terminatingAsActive with TerminationStarted is refused. */
  const counting = () => {
    const policy = pick(policies)
    return { podReplacementPolicy: policy, terminatingAsActive: policy !== 'TerminationStarted' && below(2) === 0 }
  }
  const first = counting()
  await web.create({
    ...first,
    replicas: below(8),
    strategy: pick(strategies.slice(0, -1)),
    podReplacementPolicy: first.podReplacementPolicy ?? undefined,
    revisionHistoryLimit: below(3),
  } as DeploymentSpec)

  const actions: (() => unknown)[] = [
    () => web.change({ replicas: pick([0, 1, 2, 3, 4, 5, 6, 8, 10, 14]) }),
    () => web.change({ replicas: pick([2, 3, 5, 7, 9]) }),
    () => web.changeImage(`a:${1 + below(3)}`),
    () => web.change({ paused: below(3) === 0 }),
    () => web.annotate({ 'deprecated.deployment.rollback.to': '0' }),
    () => web.annotate({ [beforeScaleAnnotation]: '3' }),
    () => web.change(counting()),
    () => web.change({ strategy: pick(strategies) }),
    () => web.change(counting()),
    () => web.change({ minReadySeconds: pick([0, 0, 5]) }),
    async () => (await here()).length > 0 && (await web.evictOne().catch(() => {})),
    async () => {
      const [pod] = await here()
      if (pod !== undefined) await bench.report(pod, 'failed')
    },
    // A node fails: its pods are deleted, and do not terminate.
    async () => {
      for (const { metadata, spec } of await here()) if (spec?.nodeName === 'node-1') await bench.client.delete(pods, podRef(metadata.name))
    },
    // A ReplicaSet is deleted while its Deployment exists. The garbage collector runs later.
    async () => {
      const sets = await web.readSets()
      if (sets.length > 0 && below(2) === 0) await bench.client.delete(replicaSets, podRef(pick(sets).metadata.name))
    },
    () => collectGarbage(bench, web),
    async () => {
      for (const { metadata } of await web.readSets()) if (below(2) === 0) await dropCount(replicaSets, metadata.name)
      await dropCount(deployments, 'web')
    },
    () => bench.finishTerminating(1 + below(3)),
    () => bench.finishTerminating(1 + below(3)),
    () => bench.finishTerminating(),
    async () => {
      for (const pod of (await here()).slice(0, 1 + below(4)))
        if (pod.status?.phase !== 'Running') await bench.report(pod, 'ready', pick(['node-1', 'node-2']))
    },
    () => web.reportAll(),
    () => web.reportAll(),
    restart,
    async () => {
      bench.gates.DeploymentPodReplacementPolicy = below(3) > 0
      bench.gates.TerminatingAsActive = below(3) > 0
      await restart()
    },
    () => {
      client.isLate = below(2) === 0
    },
    () => {
      client.failsOneIn = pick([0, 0, 8])
    },
    () => client.deliver(1 + below(6), pick([undefined, 'pods', 'replicasets', 'deployments'])),
    () => client.deliver(Number.POSITIVE_INFINITY),
    () => bench.pass(pick([5, 50, 1000, 6000, 30_000])),
  ]
  for (let step = 0; step < steps; step++) {
    await pick(actions)()
    if (below(3) > 0) await bench.settle()
    bench.pass(below(3) * 3)
  }
  Object.assign(bench.gates, { DeploymentPodReplacementPolicy: true, TerminatingAsActive: true })
  await restart()
  await web.change({ paused: false, minReadySeconds: 0 })
  return { bench, web }
}

/** Deletes the pods of deleted ReplicaSets. */
async function collectGarbage(bench: ControllerBench, web: PlayedDeployment): Promise<void> {
  const uids = new Set((await web.readSets()).map(({ metadata }) => metadata.uid))
  for (const pod of await bench.podsOf()) {
    const { name, namespace = '', uid, ownerReferences = [] } = pod.metadata
    if (ownerReferences.length === 0 || ownerReferences.some((owner) => uids.has(owner.uid)) || isBeingDeleted(pod)) continue
    bench.podCap.deletedByController(uid)
    await bench.client.delete(pods, { namespace, name })
  }
}

describe('a Deployment to which everything happens', () => {
  it.each(seeds)('keeps its promises and comes to rest (seed %d)', async (seed) => {
    const { bench, web } = await runRandomly(seed)
    await bench.until('it is complete', async () => {
      await collectGarbage(bench, web)
      await web.reportAll()
      await bench.finishTerminating()
      await bench.settle()
      bench.pass(50)
      const { spec, status, metadata } = await web.read()
      const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas].map((count) => count ?? 0)
      return (
        status?.observedGeneration === metadata.generation &&
        counts.every((count) => count === spec?.replicas) &&
        status?.terminatingReplicas === 0 &&
        (await web.condition('Progressing'))?.reason === 'NewReplicaSetAvailable'
      )
    })
    await bench.settle()
    const { spec } = await web.read()
    const running = (await bench.podsOf()).filter(({ status }) => status?.phase === 'Running')
    expect(running).toHaveLength(spec?.replicas ?? 0)
    expect(await web.pendingScales()).toEqual({})
    const old = Object.values(await web.sizes()).filter((size) => size === 0)
    expect(old.length).toBeLessThanOrEqual(spec!.revisionHistoryLimit! + (spec?.replicas === 0 ? 1 : 0))

    const { revision } = bench.store
    for (let minutes = 0; minutes < 15; minutes++) {
      bench.pass(60_000)
      await bench.settle()
    }
    await bench.restartControllers()
    await bench.settle()
    expect(bench.store.revision).toBe(revision)
    expect(bench.failures.filter((line) => !line.includes('chance'))).toEqual([])
    await bench.stop()
  })
})
