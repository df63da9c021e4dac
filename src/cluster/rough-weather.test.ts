// Jobs and StatefulSets through the API in rough weather: what the planners promise of a simulated world, the controllers
// keep on a server.
import { afterEach, describe, expect, it } from 'vitest'
import { jobs, statefulSets } from '../api/kinds.ts'
import type { Resource } from '../api/machinery/kind.ts'
import type { Job, StatefulSet } from '../api/types.ts'
import { isFinished } from '../controllers/job/plan/conditions.ts'
import { completionIndexOf, isTracked } from '../controllers/job/plan/pods.ts'
import { isReady, isTerminal } from '../controllers/shared/plan/pod-state.ts'
import { RoughWorld } from './testing/fault-injection.ts'

const firstSeed = Number(process.env['ROLLCALL_SEED'] ?? 1)
const runs = Number(process.env['ROLLCALL_RUNS'] ?? 6)
const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index)
const steps = 50

let world: RoughWorld
afterEach(() => world?.stop())

const readJob = () => world.bench.client.get(jobs, { namespace: 'default', name: 'a' })
const readSet = () => world.bench.client.get(statefulSets, { namespace: 'default', name: 'a' })

/** What happens to the pods and the controllers of any kind. */
async function blow(resource: Resource): Promise<void> {
  const { bench, chance } = world
  const pod = chance.one(world.livePods())
  const heard = chance.one(['pods', 'pods', resource.plural])!
  switch (chance.below(14)) {
    case 0:
    case 1:
      return world.hold(heard)
    case 2:
      world.hear(heard, 1 + chance.below(4))
      return look()
    case 3:
      // They look again, at whatever they know.
      await world.change(resource, 'a', { metadata: { labels: { touched: String(bench.store.revision) } } })
      return look()
    case 4:
      return world.failNext(chance.below(3), 0)
    case 5:
      return world.failNext(0, 1 + chance.below(2))
    case 6:
      await world.stopControllers()
      return world.startControllers()
    case 7:
      if (pod !== undefined) await world.deletePod(pod, 30)
      return
    case 8: {
      const going = chance.one([...world.present.values()].filter(({ metadata }) => metadata.deletionTimestamp !== undefined))
      if (going !== undefined) await world.finish(going)
      return
    }
    case 9:
      if (pod !== undefined) await world.setPhase(pod, 'Failed')
      return
    case 10:
      bench.pass(chance.one([100, 1000, 10_000, 60_000])!)
      return bench.settle()
    case 11:
      world.release()
      return look()
    default:
      return look()
  }
}

/** Time for a look at what the controllers have heard of. */
async function look(): Promise<void> {
  await world.bench.settle()
  world.bench.pass(1000)
  await world.bench.settle()
}

async function calm(): Promise<void> {
  world.release()
  world.failNext(0, 0)
}

describe('a Job', () => {
  for (const seed of seeds)
    for (const policy of ['Failed', 'TerminatingOrFailed'])
      for (const completionMode of ['NonIndexed', 'Indexed'])
        it(`${completionMode}, ${policy}: counts every pod once, and ends (ROLLCALL_SEED=${seed})`, async () => {
          world = await RoughWorld.open(seed)
          const { bench, chance } = world
          const parallelism = 1 + chance.below(3)
          const completions = 2 + chance.below(4)
          const backoffLimit = chance.one([2, 1000])!
          let isEdited = false
          let mostParallel = parallelism
          world.check = () => {
            if (policy !== 'Failed') return
            const live = world.livePods()
            if (live.length > mostParallel) world.breaches.push(`${live.length} pods, ${mostParallel} may be there`)
            if (completionMode === 'Indexed' && new Set(live.map(completionIndexOf)).size < live.length)
              world.breaches.push(`two pods of one index: ${live.map(completionIndexOf)}`)
          }
          await bench.client.create(jobs, 'default', {
            metadata: { name: 'a' },
            spec: {
              parallelism,
              completions,
              completionMode,
              backoffLimit,
              podReplacementPolicy: policy,
              template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } },
            },
          } as Job)
          let before = (await readJob()).status
          for (let step = 0; step < steps; step++) {
            const pod = chance.one(world.livePods())
            const what = chance.below(10)
            if (what === 0 && pod !== undefined) await world.setPhase(pod, 'Succeeded')
            else if (what === 1 && pod !== undefined) await world.setPhase(pod, 'Running')
            else if (what === 2 && seed % 2 === 0) {
              isEdited = true
              await world.change(jobs, 'a', { spec: { suspend: chance.below(2) === 0 } })
            } else if (what === 3 && seed % 2 === 0) {
              isEdited = true
              const next = chance.below(4)
              mostParallel = Math.max(mostParallel, next)
              await world.change(jobs, 'a', { spec: { parallelism: next } })
            } else await blow(jobs)
            const { status } = await readJob()
            expect(status?.succeeded ?? 0).toBeGreaterThanOrEqual(before?.succeeded ?? 0)
            expect(status?.failed ?? 0).toBeGreaterThanOrEqual(before?.failed ?? 0)
            expect(status?.succeeded ?? 0).toBeLessThanOrEqual(completions)
            before = status
          }

          await calm()
          await world.change(jobs, 'a', { spec: { suspend: false, parallelism: Math.max(1, parallelism) } })
          mostParallel = Math.max(mostParallel, parallelism)
          for (let round = 0; !isFinished(await readJob()); round++) {
            if (round > 100) throw new Error(`The Job does not end: ${JSON.stringify((await readJob()).status)}`)
            for (const pod of world.present.values())
              if (pod.metadata.deletionTimestamp !== undefined) await world.finish(pod)
              else if (!isTerminal(pod)) await world.setPhase(pod, 'Succeeded')
            await bench.settle()
            bench.pass(round < 50 ? 1000 : 400_000)
            await bench.settle()
          }
          for (let round = 0; round < 3; round++) {
            for (const pod of world.present.values()) if (pod.metadata.deletionTimestamp !== undefined) await world.finish(pod)
            await bench.settle()
            bench.pass(2000)
          }
          const { status = {} } = await readJob()
          const isComplete = status.conditions?.some(({ type }) => type === 'Complete') === true
          expect(world.breaches).toEqual([])
          expect(status).toMatchObject({ uncountedTerminatedPods: {}, terminating: 0, ready: 0 })
          expect(status.active).toBeUndefined()
          if (isComplete) expect(status.succeeded).toBe(completions)
          const ended = (phase: string) => [...world.everSeen.values()].filter((pod) => pod.status?.phase === phase).length
          // Under TerminatingOrFailed a pod counts as failed from its deletion on, and a Job that fails counts all pods that
          // it stops as failed, however they end. But each is counted.
          if (policy === 'Failed' && completionMode === 'NonIndexed' && !isEdited) {
            expect((status.succeeded ?? 0) + (status.failed ?? 0)).toBe(world.everSeen.size)
            if (isComplete) expect(status.succeeded).toBe(ended('Succeeded'))
          }
          if (policy === 'Failed' && !isEdited && isComplete) expect(status.failed ?? 0).toBe(ended('Failed'))
          expect([...world.present.values()].filter(isTracked)).toEqual([])
        })
})

describe('a StatefulSet', () => {
  for (const seed of seeds)
    for (const podManagementPolicy of ['OrderedReady', 'Parallel'])
      it(`${podManagementPolicy}: ends as it should be, wherever it was left (ROLLCALL_SEED=${seed})`, async () => {
        const isUnstuck = seed % 2 === 0
        world = await RoughWorld.open(seed, { StatefulSetUnstickRollout: isUnstuck })
        const { bench, chance } = world
        const template = (image: string) => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } })
        await bench.client.create(statefulSets, 'default', {
          metadata: { name: 'a' },
          spec: { replicas: 3, serviceName: 'a', podManagementPolicy, selector: { matchLabels: { app: 'x' } }, template: template('x:0') },
        } as StatefulSet)
        for (let step = 0; step < steps; step++) {
          const pod = chance.one(world.livePods())
          const what = chance.below(12)
          if (what < 3 && pod !== undefined) await world.setPhase(pod, 'Running', true)
          else if (what === 3 && pod !== undefined) await world.setPhase(pod, 'Running')
          else if (what === 4) await world.change(statefulSets, 'a', { spec: { replicas: chance.below(5) } })
          else if (what === 5) await world.change(statefulSets, 'a', { spec: { template: template(`x:${chance.below(3)}`) } })
          else if (what === 6)
            await world.change(statefulSets, 'a', {
              spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: chance.below(4) } } },
            })
          else await blow(statefulSets)
        }

        await calm()
        await world.change(statefulSets, 'a', { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } } })
        const { spec } = await readSet()
        const wanted = Array.from({ length: spec!.replicas! }, (_, index) => `a-${index} ${spec!.template.spec!.containers[0]!.image}`)
        const shown = () =>
          [...world.present.values()]
            .map(({ metadata, spec: { containers } = { containers: [] } }) => `${metadata.name} ${containers[0]?.image}`)
            .sort()
        const isDone = () =>
          shown().join() === wanted.join() && world.livePods().every(isReady) && world.livePods().length === wanted.length
        for (let round = 0; round < 60 && !(round > 2 && isDone()); round++) {
          for (const pod of world.present.values())
            if (pod.metadata.deletionTimestamp !== undefined) await world.finish(pod)
            else if (!isTerminal(pod) && !isReady(pod)) await world.setPhase(pod, 'Running', true)
            // Without the gate, pods that have ended hold each other up when they are scaled away: somebody has to help.
            else if (isTerminal(pod) && !isUnstuck && round > 10) await world.deletePod(pod)
          await bench.settle()
          bench.pass(round < 30 ? 1000 : 60_000)
          await bench.settle()
        }
        expect(shown()).toEqual(wanted)
        const { status } = await readSet()
        expect(status).toMatchObject({
          replicas: wanted.length,
          availableReplicas: wanted.length,
          observedGeneration: (await readSet()).metadata.generation,
        })
        expect(status?.currentRevision).toBe(status?.updateRevision)
        expect(status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'NewRevisionAvailable' }),
        )
      })
})
