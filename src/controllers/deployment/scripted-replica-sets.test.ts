// The Deployment controller without the ReplicaSet controller: the test writes the statuses of the ReplicaSets. So a ReplicaSet
// can have any size and any number of terminating pods, or not report them (KEP-5882).
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replicaSets } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { ReplicaSet, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { type DeploymentSpec, imageOf, type PlayedDeployment, playDeployment, rolling } from '../../cluster/testing/deployment-player.ts'
import { startDeploymentController } from './deployment-controller.ts'

let bench: ControllerBench
let web: PlayedDeployment
/** How many more updates of ReplicaSets succeed. */
let writesLeft = Number.POSITIVE_INFINITY
beforeEach(async () => {
  writesLeft = Number.POSITIVE_INFINITY
  const failing = (client: Client): Client => ({
    ...client,
    update: (resource, object, options) =>
      resource.plural === 'replicasets' && writesLeft-- <= 0
        ? Promise.reject(failure(500, 'InternalError', 'stopped here'))
        : client.update(resource, object, options),
  })
  bench = await openControllerBench({ start: startDeploymentController, wrapClient: failing })
  web = playDeployment(bench)
})
afterEach(() => bench.stop())

type SetStatus = Partial<NonNullable<ReplicaSet['status']>>

/** Writes a status with all pods created and none ready; `more` overrides it. */
const report = async (set: Stored<ReplicaSet>, more: SetStatus = { terminatingReplicas: 0 }) => {
  const status = { replicas: set.spec?.replicas ?? 0, observedGeneration: set.metadata.generation ?? 0, ...more }
  await bench.client.updateStatus(replicaSets, { ...set, status })
}
const reportAll = async (terminatingOfNewest = 0) => {
  for (const [index, set] of (await setsByAge()).entries())
    await report(set, { terminatingReplicas: index === 0 ? terminatingOfNewest : 0 })
  await bench.settle()
}
/** The newest first. */
const setsByAge = async () => [...(await web.readSets())].sort((a, b) => (imageOf(a) < imageOf(b) ? 1 : -1))
const sizes = async () => (await setsByAge()).map(({ spec }) => spec?.replicas)
const annotation = (name: string) => async () =>
  (await setsByAge()).map(({ metadata }) => metadata.annotations?.[`deployment.kubernetes.io/${name}`])

/** A rollout that stands still, at 100 replicas and a surge of 10: three sets of those sizes. */
async function openThreeSets(newestFirst: readonly number[], policy?: 'TerminationComplete', terminating = 0): Promise<void> {
  await web.create({ replicas: 0, strategy: rolling(10, 0), ...(policy && { podReplacementPolicy: policy }) } as DeploymentSpec)
  for (const image of ['a:1', 'a:2', 'a:3']) {
    await web.changeImage(image)
    await bench.until(`there is a set for ${image}`, async () => (await web.readSets()).some((set) => imageOf(set) === image))
    await bench.settle()
    // The next set is a second younger.
    bench.pass(1000)
  }
  await web.change({ paused: true })
  await bench.settle()
  const scaledFor100 = { 'deployment.kubernetes.io/desired-replicas': '100', 'deployment.kubernetes.io/max-replicas': '110' }
  await bench.stopControllers()
  await web.change({ replicas: 100 })
  for (const [index, set] of (await setsByAge()).entries()) {
    const annotations = { ...set.metadata.annotations, ...scaledFor100 }
    const spec = { ...set.spec!, replicas: newestFirst[index]! }
    const written = await bench.client.update(replicaSets, { ...set, metadata: { ...set.metadata, annotations }, spec })
    await report(written, { terminatingReplicas: index === 0 ? terminating : 0 })
  }
  await bench.restartControllers()
  await bench.settle()
  expect(await sizes()).toEqual(newestFirst)
  await web.change({ paused: false })
  await bench.settle()
}

const scale = async (replicas: number) => {
  await web.change({ replicas })
  await bench.settle()
}

describe('proportional scaling, the tables of KEP-5882', () => {
  it('the first: T1 60/30/20, T2 71/35/24, T3 76/38/26', async () => {
    await openThreeSets([60, 30, 20])
    await scale(120)
    expect(await sizes()).toEqual([71, 35, 24])
    await reportAll()
    await scale(130)
    expect(await sizes()).toEqual([76, 38, 26])
  })

  it('the second: T1 50/30/20, T2 59/35/21, T3 66/35/24, T4 71/35/24', async () => {
    await openThreeSets([50, 30, 20], 'TerminationComplete', 15)
    await scale(120)
    expect(await sizes()).toEqual([59, 35, 21])
    expect(await annotation('replicaset-replicas-before-scale')()).toEqual(['50', undefined, '20'])
    expect(await annotation('desired-replicas')()).toEqual(['100', '120', '100'])
    expect(await annotation('max-replicas')()).toEqual(['110', '130', '110'])
    await reportAll(15)
    expect(await sizes()).toEqual([59, 35, 21])
    await reportAll(5)
    expect(await sizes()).toEqual([66, 35, 24])
    await reportAll(0)
    expect(await sizes()).toEqual([71, 35, 24])
    expect(await annotation('replicaset-replicas-before-scale')()).toEqual([undefined, undefined, undefined])
    expect(await annotation('max-replicas')()).toEqual(['130', '130', '130'])
  })

  it('the third: T2 59/35/21, T3 66/38/21, T4 72/38/25, T5 77/38/25', async () => {
    await openThreeSets([50, 30, 20], 'TerminationComplete', 15)
    await scale(120)
    expect(await sizes()).toEqual([59, 35, 21])
    await reportAll(15)
    await scale(130)
    expect(await sizes()).toEqual([66, 38, 21])
    await reportAll(15)
    await reportAll(5)
    expect(await sizes()).toEqual([72, 38, 25])
    await reportAll(0)
    expect(await sizes()).toEqual([77, 38, 25])
  })

  for (const writes of [0, 1, 2])
    for (const policy of [undefined, 'TerminationComplete'] as const)
      it(`a scale that stops after ${writes} writes reaches the same sizes, ${policy ?? 'no policy'}`, async () => {
        await openThreeSets([60, 30, 20], policy)
        writesLeft = writes
        await scale(120)
        writesLeft = Number.POSITIVE_INFINITY
        await bench.restartControllers()
        await bench.settle()
        for (let round = 0; round < 3; round++) await reportAll()
        expect(await sizes()).toEqual([71, 35, 24])
      })
})

describe('the status of a ReplicaSet', () => {
  const begin = async (replicas: number) => {
    await web.create({ replicas, strategy: rolling(1, 1), podReplacementPolicy: 'TerminationComplete' } as DeploymentSpec)
    await bench.settle()
  }

  it('a set that was never observed counts its size, and no terminating pods', async () => {
    await begin(5)
    const [set] = await web.readSets()
    expect(set?.status?.observedGeneration ?? 0).toBe(0)
    await web.changeImage('a:2')
    await bench.settle()
    // 6 at most: pods that the first may have created count until its next status, although its size is smaller.
    expect(await web.sizes()).toEqual({ 'a:1': 4, 'a:2': 1 })
    expect((await web.read()).status?.terminatingReplicas).toBe(0)
    await report((await web.readSets())[0]!)
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 4, 'a:2': 2 })
  })

  it('an observed ReplicaSet without a terminating count: nothing is scaled up until it reports one', async () => {
    await begin(3)
    const [set] = await web.readSets()
    await report(set!, {})
    await bench.settle()
    expect((await web.read()).status).not.toHaveProperty('terminatingReplicas')
    await scale(5)
    bench.pass(20_000)
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 3 })
    await scale(2)
    expect(await web.sizes()).toEqual({ 'a:1': 2 })
    await scale(4)
    expect(await web.sizes()).toEqual({ 'a:1': 2 })
    await report((await web.readSets())[0]!, { terminatingReplicas: 1 })
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 4 })
  })

  it('a set that has not acted on its new size counts the pods that it has', async () => {
    await begin(4)
    await report((await web.readSets())[0]!)
    await scale(2)
    await scale(5)
    // Its status has 4, its size is 2: the 4 count until the next status.
    expect(await web.sizes()).toEqual({ 'a:1': 4 })
    await report((await web.readSets())[0]!, { replicas: 2, terminatingReplicas: 2 })
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 4 })
    await report((await web.readSets())[0]!, { replicas: 4, terminatingReplicas: 0 })
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 5 })
  })
})
