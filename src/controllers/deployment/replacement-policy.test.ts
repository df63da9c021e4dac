// KEP-5882 through the API: every scenario that deletes pods, under no policy and under both. The bench checks every
// write: under TerminationComplete there is no moment with more pods than replicas + maxSurge.
import { afterEach, describe, expect, it } from 'vitest'
import { pods, replicaSets } from '../../api/kinds.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing/controller-bench.ts'
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

let bench: ControllerBench
let web: PlayedDeployment
const open = async (options: Partial<ControllerBenchOptions> = {}) => {
  bench = await openControllerBench({
    gates: { ExtendedWorkloadConditions: false },
    start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)],
    ...options,
  })
  web = playDeployment(bench)
}
afterEach(async () => {
  await bench.stop()
  expect(bench.failures).toEqual([])
})

const total = (sizes: Readonly<Record<string, number | undefined>>) => Object.values(sizes).reduce((sum: number, size) => sum + size!, 0)
const untilNoneTerminates = () =>
  bench.until('no pod is terminating', async () => {
    await bench.finishTerminating()
    return (await web.read()).status?.terminatingReplicas === 0
  })

for (const policy of everyPolicy)
  describe(policy ?? 'no policy', () => {
    const waits = policy === 'TerminationComplete'
    /** By default five replicas, all available. */
    const begin = async (spec: object = {}) => {
      await open()
      const whole = { replicas: 5, strategy: rolling(0, 1), ...(policy && { podReplacementPolicy: policy }), ...spec } as DeploymentSpec
      await web.create(whole)
      await web.rollOut(whole.replicas!)
      await bench.settle()
    }
    const scale = async (replicas: number) => {
      await web.change({ replicas })
      await bench.settle()
    }

    for (const strategy of [rolling(1, 1), rolling(0, 2), rolling(3, 0), rolling('25%', '50%'), { type: 'Recreate' }])
      it(`rolls out with ${JSON.stringify(strategy)}`, async () => {
        await begin({ replicas: 4, strategy })
        await web.changeImage('a:2')
        await web.rollOut(4)
        await untilNoneTerminates()
        await bench.settle()
        expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 4 })
        expect(await web.condition('Progressing')).toMatchObject({ reason: 'NewReplicaSetAvailable' })
      })

    it(`with pods that do not terminate, ${waits ? 'stays within the surge' : 'has two generations of pods at once'}`, async () => {
      await begin({ replicas: 4, strategy: rolling(1, 1) })
      await web.changeImage('a:2')
      for (let round = 0; round < 12; round++) {
        await web.reportAll()
        await bench.settle()
      }
      expect(bench.podCap.peak('web')).toBe(waits ? 5 : 8)
    })

    it(`with no history, ${waits ? 'waits for terminating pods of a deleted set too' : 'deletes the old set while its pods terminate'}`, async () => {
      await begin({ replicas: 2, strategy: rolling(0, 2), revisionHistoryLimit: 0 })
      await web.changeImage('a:2')
      const play = async () => {
        for (let round = 0; round < 6; round++) {
          await web.reportAll()
          await bench.settle()
        }
      }
      await play()
      // A paused Deployment cleans up its history before the rollout is complete.
      await web.change({ paused: true })
      await bench.settle()
      await web.change({ paused: false })
      await play()
      expect(await web.sizes()).toEqual({ 'a:2': waits ? 0 : 2 })
      expect((await web.read()).status).toMatchObject({ terminatingReplicas: policy === undefined ? 0 : 2 })
      await bench.finishTerminating()
      await web.rollOut(2)
      expect(bench.podCap.peak('web')).toBe(waits ? 2 : 4)
    })

    for (const strategy of [rolling(0, 1), { type: 'Recreate' }])
      it(`${strategy.type}: scale 5 → 2 → 5 waits for ${waits ? 'the three' : 'nothing'}`, async () => {
        await begin({ strategy })
        await scale(2)
        await scale(5)
        expect(await web.sizes()).toEqual({ 'a:1': waits ? 2 : 5 })
        await bench.finishTerminating(1)
        await bench.settle()
        expect(await web.sizes()).toEqual({ 'a:1': waits ? 3 : 5 })
        await bench.finishTerminating()
        await web.rollOut(5)
        expect(bench.podCap.peak('web')).toBe(waits ? 5 : 8)
        expect(await web.pendingScales()).toEqual({})
      })

    it('a second and a third scale while the first is pending', async () => {
      await begin()
      for (const replicas of [2, 6, 4, 7]) await scale(replicas)
      expect(await web.sizes()).toEqual({ 'a:1': waits ? 4 : 7 })
      expect(await web.pendingScales()).toEqual(waits ? { 'a:1': '2' } : {})
      await web.rollOut(7)
      expect(await web.pendingScales()).toEqual({})
    })

    it('a pending scale that becomes unnecessary: its annotations are removed, and a template change still rolls out', async () => {
      await begin({ replicas: 12 })
      await scale(10)
      await scale(14)
      expect(await web.sizes()).toEqual({ 'a:1': waits ? 12 : 14 })
      expect(await web.pendingScales()).toEqual(waits ? { 'a:1': '10' } : {})
      await scale(12)
      expect(await web.pendingScales()).toEqual({})
      await web.changeImage('a:2')
      await web.rollOut(12)
      expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 12 })
    })

    it('a template change while a scale is pending', async () => {
      await begin()
      await scale(2)
      await scale(4)
      await web.changeImage('a:2')
      await bench.settle()
      expect(await web.sizes()).toHaveProperty(['a:2'])
      if (waits) expect(await web.sizes()).toEqual({ 'a:1': 2, 'a:2': 0 })
      expect(await web.pendingScales()).toEqual({})
      await web.rollOut(4)
      expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 4 })
    })

    it('a paused Deployment that is scaled', async () => {
      await begin()
      await web.change({ paused: true })
      await scale(2)
      await scale(4)
      expect(await web.sizes()).toEqual({ 'a:1': waits ? 2 : 4 })
      await bench.finishTerminating()
      await bench.settle()
      expect(await web.sizes()).toEqual({ 'a:1': 4 })
      expect(await web.condition('Progressing')).toMatchObject({ reason: 'DeploymentPaused' })
      expect(await web.pendingScales()).toEqual({})
    })

    it('a scale in the middle of a rollout, in proportion', async () => {
      await begin({ replicas: 10, strategy: rolling(3, 2) })
      await web.changeImage('a:2')
      await bench.settle()
      const expected = waits ? { 'a:1': 8, 'a:2': 3 } : { 'a:1': 8, 'a:2': 5 }
      expect(await web.sizes()).toEqual(expected)
      await scale(15)
      // 18 at most; 2 are terminating: 16 may run.
      expect(total(await web.sizes())).toBe(waits ? 16 : 18)
      await bench.finishTerminating()
      await bench.settle()
      expect(total(await web.sizes())).toBe(18)
      await web.rollOut(15)
    })

    for (const terminatingAsActive of policy === 'TerminationStarted' ? [false] : [false, true])
      it(`eviction ${terminatingAsActive ? 'with' : 'without'} terminatingAsActive`, async () => {
        await begin({ terminatingAsActive })
        await web.evictOne()
        await bench.settle()
        expect(await bench.podsOf()).toHaveLength(terminatingAsActive ? 5 : 6)
        await web.rollOut(5)
        expect(bench.podCap.peak('web')).toBe(terminatingAsActive ? 5 : 6)
      })

    it('a gate that is switched off in the middle of a rollout and on again', async () => {
      await begin({ replicas: 6, strategy: rolling(1, 1) })
      const stepOn = async (steps: number) => {
        for (let step = 0; step < steps; step++) {
          await web.reportAll()
          await bench.settle()
        }
        return bench.podCap.peak('web')
      }
      await web.changeImage('a:2')
      const before = await stepOn(4)
      if (waits) expect(before).toBe(7)
      bench.gates.DeploymentPodReplacementPolicy = false
      await bench.restartControllers()
      const without = await stepOn(2)
      if (waits) expect(without).toBeGreaterThan(7)
      bench.gates.DeploymentPodReplacementPolicy = true
      await bench.restartControllers()
      if (waits) expect(await stepOn(4)).toBe(without)
      expect((await web.read()).spec?.podReplacementPolicy).toBe(policy)
      await web.rollOut(6)
      expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 6 })
    })

    it(`Recreate: creates new pods when the old ones ${policy === 'TerminationStarted' ? 'are terminating' : 'have terminated'}`, async () => {
      await begin({ replicas: 3, strategy: { type: 'Recreate' } })
      await web.changeImage('a:2')
      await bench.settle()
      expect(await web.sizes()).toEqual(policy === 'TerminationStarted' ? { 'a:1': 0, 'a:2': 3 } : { 'a:1': 0 })
      await bench.finishTerminating(2)
      await bench.settle()
      if (policy !== 'TerminationStarted') expect(await web.sizes()).toEqual({ 'a:1': 0 })
      await bench.finishTerminating()
      await bench.settle()
      expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 3 })
    })

    it(`is complete when ${waits ? 'no pod is terminating any more, and each termination is progress' : 'all are available'}`, async () => {
      await begin({ replicas: 2, strategy: rolling(0, 2), progressDeadlineSeconds: 60 })
      await web.changeImage('a:2')
      await bench.settle()
      if (waits) await bench.finishTerminating(1)
      await bench.until('new pods are there', async () => (await web.sizes())['a:2']! > 0)
      const readTerminating = async () => (await web.read()).status?.terminatingReplicas
      if (!waits) {
        await bench.until('all are available', async () => {
          await web.reportAll()
          return (await web.condition('Progressing'))?.reason === 'NewReplicaSetAvailable'
        })
        expect(await readTerminating()).toBe(2)
        return
      }
      await bench.settle()
      await web.reportAll()
      await bench.settle()
      expect(await readTerminating()).toBe(1)
      bench.pass(50_000)
      await bench.finishTerminating()
      await bench.settle()
      await web.reportAll()
      // One more is deleted by the user: all new pods exist before it has terminated.
      await web.evictOne()
      await bench.settle()
      await web.reportAll()
      await bench.settle()
      const { status } = await web.read()
      expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, availableReplicas: 2, terminatingReplicas: 1 })
      const waiting = await web.condition('Progressing')
      expect(waiting).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
      bench.pass(50_000)
      await bench.settle()
      expect(await web.condition('Progressing')).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
      await bench.finishTerminating()
      await bench.settle()
      const done = await web.condition('Progressing')
      expect(done).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
      expect(Date.parse(done!.lastUpdateTime!) - Date.parse(waiting!.lastUpdateTime!)).toBeGreaterThanOrEqual(50_000)
    })

    it('never scales a set down because too many pods are still there', async () => {
      await begin({ replicas: 6, strategy: rolling(0, 3) })
      await scale(3)
      await scale(2)
      const before = await web.sizes()
      await scale(4)
      expect((await web.sizes())['a:1']).toBeGreaterThanOrEqual(before['a:1']!)
      await web.rollOut(4)
    })

    it("an old kubectl's undo that copied the annotation", async () => {
      await begin()
      await web.annotate({ [beforeScaleAnnotation]: '3', note: 'kept' })
      await bench.settle()
      expect((await web.read()).metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1', note: 'kept' })
      const [set] = await web.readSets()
      expect(set?.metadata.annotations).not.toHaveProperty([beforeScaleAnnotation])
      expect(set?.metadata.annotations).toMatchObject({ note: 'kept' })
    })

    it('a Deployment that loses its controllers in the middle of everything', async () => {
      await begin({ replicas: 8, strategy: rolling(2, 1) })
      await web.changeImage('a:2')
      await bench.restartControllers()
      await web.change({ replicas: 12 })
      await bench.restartControllers()
      await bench.finishTerminating(1)
      await bench.restartControllers()
      await web.changeImage('a:3')
      await bench.restartControllers()
      await web.rollOut(12)
      await bench.settle()
      expect(await web.sizes()).toMatchObject({ 'a:3': 12 })
      expect(await web.pendingScales()).toEqual({})
    })
  })

describe('terminatingAsActive', () => {
  for (const policy of [undefined, 'TerminationComplete'] as const) {
    const begin = async (spec: object) => {
      await open()
      const whole = { replicas: 5, terminatingAsActive: true, ...(policy && { podReplacementPolicy: policy }), ...spec } as DeploymentSpec
      await web.create(whole)
      await web.rollOut(whole.replicas!)
      await bench.settle()
    }
    const reportRounds = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        await web.reportAll()
        await bench.settle()
      }
    }

    describe(policy === undefined ? 'alone' : `with ${policy}`, () => {
      it('holds a rollout within the surge while old pods terminate', async () => {
        await begin({ replicas: 4, strategy: rolling(1, 1) })
        await web.changeImage('a:2')
        await reportRounds(12)
        expect(bench.podCap.peak('web')).toBe(5)
        await web.rollOut(4)
        expect(bench.podCap.peak('web')).toBe(5)
      })

      it('a pod that never terminates takes the room of one replica, not two', async () => {
        await begin({ strategy: rolling(0, 1) })
        await web.evictOne()
        await reportRounds(3)
        expect(await web.sizes()).toEqual({ 'a:1': 5 })
        expect((await web.read()).status).toMatchObject({ availableReplicas: 4, terminatingReplicas: 1 })
        expect(await web.condition('Available')).toMatchObject({ status: 'True' })
      })

      it('a rollout starts and replaces all other pods while one never terminates', async () => {
        await begin({ strategy: rolling(1, 1) })
        await web.evictOne()
        await bench.settle()
        await web.changeImage('a:2')
        const [stuck] = (await bench.podsOf()).filter(isBeingDeleted)
        for (let round = 0; round < 20; round++) {
          await web.reportAll()
          for (const { metadata } of (await bench.podsOf()).filter(isBeingDeleted))
            if (metadata.name !== stuck?.metadata.name)
              await bench.client.delete(pods, { namespace: 'default', name: metadata.name }, { gracePeriodSeconds: 0 })
          await bench.settle()
          expect(await web.condition('Available')).toMatchObject({ status: 'True' })
        }
        expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 5 })
        expect((await web.read()).status).toMatchObject({ updatedReplicas: 5, availableReplicas: 5, terminatingReplicas: 1 })
        expect(bench.podCap.peak('web')).toBe(6)
      })
    })
  }

  it('is rejected together with TerminationStarted, and overrides an annotation with it', async () => {
    await open()
    const contradictory = { terminatingAsActive: true, podReplacementPolicy: 'TerminationStarted' } as DeploymentSpec
    await expect(web.create(contradictory)).rejects.toThrow("may not be true when podReplacementPolicy is 'TerminationStarted'")
    await web.create({ replicas: 2, strategy: rolling(0, 1), terminatingAsActive: true } as DeploymentSpec)
    await web.annotate({ 'rollcall.dev/pod-replacement-policy': 'TerminationStarted' })
    await bench.settle()
    await web.rollOut(2)
    await web.changeImage('a:2')
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 1, 'a:2': 0 })
    expect((await bench.events()).filter((line) => line.includes('contradicts'))).not.toEqual([])
  })
})

describe('a ReplicaSet that was deleted without its pods', () => {
  it('has pods that fail before the garbage collector deletes them: they are replaced at once', async () => {
    await open()
    await web.create({
      replicas: 3,
      strategy: rolling(0, 1),
      podReplacementPolicy: 'TerminationComplete',
      progressDeadlineSeconds: 2147483647,
    } as DeploymentSpec)
    await web.rollOut(3)
    await bench.settle()
    const [set] = await web.readSets()
    const { name, namespace } = set!.metadata
    // The bench has no garbage collector.
    await bench.client.delete(replicaSets, { name, namespace: namespace! }, { propagationPolicy: 'Background' })
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 0 })
    for (const pod of await bench.podsOf()) await bench.report(pod, 'failed')
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 3 })
  })
})
