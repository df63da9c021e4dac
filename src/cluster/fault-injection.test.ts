// Jobs and StatefulSets with injected faults, through the API.
import { afterEach, describe, expect, it } from 'vitest'
import { jobs, statefulSets } from '../api/kinds.ts'
import type { Resource } from '../api/machinery/kind.ts'
import type { Job, StatefulSet } from '../api/types.ts'
import { isFinished } from '../controllers/job/plan/conditions.ts'
import { completionIndexOf, isTracked } from '../controllers/job/plan/pods.ts'
import { isReady, isTerminal } from '../controllers/shared/plan/pod-state.ts'
import { FaultInjectionFixture } from './testing/fault-injection-fixture.ts'

const firstSeed = Number(process.env['ROLLCALL_SEED'] ?? 1)
const runs = Number(process.env['ROLLCALL_RUNS'] ?? 6)
const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index)
const steps = 50

let fixture: FaultInjectionFixture
afterEach(() => fixture?.stop())

const readJob = () => fixture.bench.client.get(jobs, { namespace: 'default', name: 'a' })
const readSet = () => fixture.bench.client.get(statefulSets, { namespace: 'default', name: 'a' })

/** Injects a random fault into the pods and controllers of any kind. */
async function injectFault(resource: Resource): Promise<void> {
  const { bench, choose } = fixture
  const pod = choose.one(fixture.livePods())
  const delayed = choose.one(['pods', 'pods', resource.plural])!
  switch (choose.below(14)) {
    case 0:
    case 1:
      return fixture.hold(delayed)
    case 2:
      fixture.deliverNext(delayed, 1 + choose.below(4))
      return reconcile()
    case 3:
      // The controllers reconcile, with whatever their caches contain.
      await fixture.change(resource, 'a', { metadata: { labels: { touched: String(bench.store.revision) } } })
      return reconcile()
    case 4:
      return fixture.failNext(choose.below(3), 0)
    case 5:
      return fixture.failNext(0, 1 + choose.below(2))
    case 6:
      await fixture.stopControllers()
      return fixture.startControllers()
    case 7:
      if (pod !== undefined) await fixture.deletePod(pod, 30)
      return
    case 8: {
      const terminating = choose.one([...fixture.present.values()].filter(({ metadata }) => metadata.deletionTimestamp !== undefined))
      if (terminating !== undefined) await fixture.finish(terminating)
      return
    }
    case 9:
      if (pod !== undefined) await fixture.setPhase(pod, 'Failed')
      return
    case 10:
      bench.pass(choose.one([100, 1000, 10_000, 60_000])!)
      return bench.settle()
    case 11:
      fixture.release()
      return reconcile()
    default:
      return reconcile()
  }
}

/** Lets the controllers reconcile what they have observed. */
async function reconcile(): Promise<void> {
  await fixture.bench.settle()
  fixture.bench.pass(1000)
  await fixture.bench.settle()
}

async function endFaults(): Promise<void> {
  fixture.release()
  fixture.failNext(0, 0)
}

describe('a Job', () => {
  for (const seed of seeds)
    for (const policy of ['Failed', 'TerminatingOrFailed'])
      for (const completionMode of ['NonIndexed', 'Indexed'])
        it(`${completionMode}, ${policy}: counts every pod once, and ends (ROLLCALL_SEED=${seed})`, async () => {
          fixture = await FaultInjectionFixture.open(seed)
          const { bench, choose } = fixture
          const parallelism = 1 + choose.below(3)
          const completions = 2 + choose.below(4)
          const backoffLimit = choose.one([2, 1000])!
          let isEdited = false
          let maxParallel = parallelism
          fixture.check = () => {
            if (policy !== 'Failed') return
            const live = fixture.livePods()
            if (live.length > maxParallel) fixture.breaches.push(`${live.length} pods, ${maxParallel} may be there`)
            if (completionMode === 'Indexed' && new Set(live.map(completionIndexOf)).size < live.length)
              fixture.breaches.push(`two pods of one index: ${live.map(completionIndexOf)}`)
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
            const pod = choose.one(fixture.livePods())
            const what = choose.below(10)
            if (what === 0 && pod !== undefined) await fixture.setPhase(pod, 'Succeeded')
            else if (what === 1 && pod !== undefined) await fixture.setPhase(pod, 'Running')
            else if (what === 2 && seed % 2 === 0) {
              isEdited = true
              await fixture.change(jobs, 'a', { spec: { suspend: choose.below(2) === 0 } })
            } else if (what === 3 && seed % 2 === 0) {
              isEdited = true
              const next = choose.below(4)
              maxParallel = Math.max(maxParallel, next)
              await fixture.change(jobs, 'a', { spec: { parallelism: next } })
            } else await injectFault(jobs)
            const { status } = await readJob()
            expect(status?.succeeded ?? 0).toBeGreaterThanOrEqual(before?.succeeded ?? 0)
            expect(status?.failed ?? 0).toBeGreaterThanOrEqual(before?.failed ?? 0)
            expect(status?.succeeded ?? 0).toBeLessThanOrEqual(completions)
            before = status
          }

          await endFaults()
          await fixture.change(jobs, 'a', { spec: { suspend: false, parallelism: Math.max(1, parallelism) } })
          maxParallel = Math.max(maxParallel, parallelism)
          for (let round = 0; !isFinished(await readJob()); round++) {
            if (round > 100) throw new Error(`The Job does not end: ${JSON.stringify((await readJob()).status)}`)
            for (const pod of fixture.present.values())
              if (pod.metadata.deletionTimestamp !== undefined) await fixture.finish(pod)
              else if (!isTerminal(pod)) await fixture.setPhase(pod, 'Succeeded')
            await bench.settle()
            bench.pass(round < 50 ? 1000 : 400_000)
            await bench.settle()
          }
          for (let round = 0; round < 3; round++) {
            for (const pod of fixture.present.values()) if (pod.metadata.deletionTimestamp !== undefined) await fixture.finish(pod)
            await bench.settle()
            bench.pass(2000)
          }
          const { status = {} } = await readJob()
          const isComplete = status.conditions?.some(({ type }) => type === 'Complete') === true
          expect(fixture.breaches).toEqual([])
          expect(status).toMatchObject({ uncountedTerminatedPods: {}, terminating: 0, ready: 0 })
          expect(status.active).toBeUndefined()
          if (isComplete) expect(status.succeeded).toBe(completions)
          const ended = (phase: string) => [...fixture.everSeen.values()].filter((pod) => pod.status?.phase === phase).length
          // Under TerminatingOrFailed a pod counts as failed from its deletion on, and a Job that fails counts all pods that
          // it stops as failed, however they end. But each is counted.
          if (policy === 'Failed' && completionMode === 'NonIndexed' && !isEdited) {
            expect((status.succeeded ?? 0) + (status.failed ?? 0)).toBe(fixture.everSeen.size)
            if (isComplete) expect(status.succeeded).toBe(ended('Succeeded'))
          }
          if (policy === 'Failed' && !isEdited && isComplete) expect(status.failed ?? 0).toBe(ended('Failed'))
          expect([...fixture.present.values()].filter(isTracked)).toEqual([])
        })
})

describe('a StatefulSet', () => {
  for (const seed of seeds)
    for (const podManagementPolicy of ['OrderedReady', 'Parallel'])
      it(`${podManagementPolicy}: converges from any state (ROLLCALL_SEED=${seed})`, async () => {
        const isUnstuck = seed % 2 === 0
        fixture = await FaultInjectionFixture.open(seed, { StatefulSetUnstickRollout: isUnstuck })
        const { bench, choose } = fixture
        const template = (image: string) => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } })
        await bench.client.create(statefulSets, 'default', {
          metadata: { name: 'a' },
          spec: { replicas: 3, serviceName: 'a', podManagementPolicy, selector: { matchLabels: { app: 'x' } }, template: template('x:0') },
        } as StatefulSet)
        for (let step = 0; step < steps; step++) {
          const pod = choose.one(fixture.livePods())
          const what = choose.below(12)
          if (what < 3 && pod !== undefined) await fixture.setPhase(pod, 'Running', true)
          else if (what === 3 && pod !== undefined) await fixture.setPhase(pod, 'Running')
          else if (what === 4) await fixture.change(statefulSets, 'a', { spec: { replicas: choose.below(5) } })
          else if (what === 5) await fixture.change(statefulSets, 'a', { spec: { template: template(`x:${choose.below(3)}`) } })
          else if (what === 6)
            await fixture.change(statefulSets, 'a', {
              spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: choose.below(4) } } },
            })
          else await injectFault(statefulSets)
        }

        await endFaults()
        await fixture.change(statefulSets, 'a', { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } } })
        const { spec } = await readSet()
        const wanted = Array.from({ length: spec!.replicas! }, (_, index) => `a-${index} ${spec!.template.spec!.containers[0]!.image}`)
        const shown = () =>
          [...fixture.present.values()]
            .map(({ metadata, spec: { containers } = { containers: [] } }) => `${metadata.name} ${containers[0]?.image}`)
            .sort()
        const isDone = () =>
          shown().join() === wanted.join() && fixture.livePods().every(isReady) && fixture.livePods().length === wanted.length
        for (let round = 0; round < 60 && !(round > 2 && isDone()); round++) {
          for (const pod of fixture.present.values())
            if (pod.metadata.deletionTimestamp !== undefined) await fixture.finish(pod)
            else if (!isTerminal(pod) && !isReady(pod)) await fixture.setPhase(pod, 'Running', true)
            // Without the gate, pods that have ended block each other when they are scaled down: a user has to delete them.
            else if (isTerminal(pod) && !isUnstuck && round > 10) await fixture.deletePod(pod)
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
