// Deployments under TerminationComplete whose pods do not terminate: what waits, what continues, and the Progressing condition.
// Through the API; the test moves the time.

import { afterEach, describe, expect, it } from 'vitest'
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import {
  type DeploymentSpec,
  isBeingDeleted,
  type PlayedDeployment,
  playDeployment,
  rolling,
} from '../../cluster/testing/deployment-player.ts'
import { startReplicaSetController } from '../replica-set/replica-set-controller.ts'
import { startDeploymentController } from './deployment-controller.ts'

let bench: ControllerBench
let web: PlayedDeployment
afterEach(async () => {
  await bench.stop()
  expect(bench.failures).toEqual([])
})

/** A Deployment whose pods are all available. */
const begin = async (spec: object = {}) => {
  bench = await openControllerBench({ start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)] })
  web = playDeployment(bench)
  const whole = {
    replicas: 5,
    strategy: rolling(0, 1),
    podReplacementPolicy: 'TerminationComplete',
    progressDeadlineSeconds: 600,
    ...spec,
  } as DeploymentSpec
  await web.create(whole)
  await web.rollOut(whole.replicas!)
  await bench.settle()
}
const change = async (spec: object) => {
  await web.change(spec)
  await bench.settle()
}
const setImage = async (image: string) => {
  await web.changeImage(image)
  await bench.settle()
}
/** In steps, so that a controller which waits for a moment gets to act at it. */
const passMinutes = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) {
    bench.pass(60_000)
    await bench.settle()
  }
}
const progressing = () => web.condition('Progressing')
const endOthers = async (stuck: string) => {
  for (const { metadata } of (await bench.podsOf()).filter(isBeingDeleted))
    if (metadata.name !== stuck) await bench.client.delete(pods, { namespace: 'default', name: metadata.name }, { gracePeriodSeconds: 0 })
  await bench.settle()
}

describe('a scale that waits for a pod that never terminates', () => {
  const beginStuck = async (spec: object = {}) => {
    await begin(spec)
    await change({ replicas: 4 })
    await change({ replicas: 5 })
    expect(await web.sizes()).toEqual({ 'a:1': 4 })
  }

  for (const strategy of [rolling(0, 1), { type: 'Recreate' }])
    describe(strategy.type, () => {
      it('is reported when the deadline passes, and completes when the pod has terminated', async () => {
        await beginStuck({ strategy })
        expect(await progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
        await passMinutes(9)
        expect(await progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
        await passMinutes(3)
        expect(await progressing()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
        await bench.finishTerminating()
        await web.rollOut(5)
        await bench.settle()
        expect(await progressing()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
        expect(await web.pendingScales()).toEqual({})
      })

      it('does not hold up a new template', async () => {
        await beginStuck({ strategy })
        await setImage('a:2')
        expect(await web.pendingScales()).toEqual({})
        expect(await progressing()).toMatchObject({ status: 'True' })
        expect((await progressing())?.reason).not.toBe('NewReplicaSetAvailable')
        await passMinutes(12)
        expect(await progressing()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
        await web.rollOut(5)
        expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 5 })
      })
    })

  it('creates the new ReplicaSet at once', async () => {
    await beginStuck()
    await setImage('a:2')
    expect(await web.sizes()).toEqual({ 'a:1': 4, 'a:2': 0 })
    expect(await progressing()).toMatchObject({ reason: 'NewReplicaSetCreated' })
  })

  it('does not block a rollback: the pods of the broken revision are deleted', async () => {
    await begin({ replicas: 6, strategy: rolling(1, 1) })
    await setImage('broken')
    expect((await web.sizes())['broken']).toBeGreaterThan(0)
    const [stuck] = (await bench.podsOf()).filter(isBeingDeleted)
    await change({ replicas: 8 })
    expect(Object.keys(await web.pendingScales())).not.toEqual([])
    await setImage('a:1')
    for (let round = 0; round < 6; round++) {
      await web.reportAll()
      await endOthers(stuck!.metadata.name)
    }
    expect(await web.sizes()).toEqual({ 'a:1': 8, broken: 0 })
    expect(await web.pendingScales()).toEqual({})
  })

  it('blocks the rollout during which it started until the deadline, and not forever', async () => {
    await begin({ replicas: 6, strategy: rolling(1, 1) })
    await setImage('a:2')
    const [stuck] = (await bench.podsOf()).filter(isBeingDeleted)
    await change({ replicas: 8 })
    expect(Object.keys(await web.pendingScales())).not.toEqual([])
    const roll = async () => {
      for (let round = 0; round < 24; round++) {
        await web.reportAll()
        await endOthers(stuck!.metadata.name)
      }
    }
    await roll()
    expect((await web.sizes())['a:1']).toBeGreaterThan(0)
    await passMinutes(12)
    await roll()
    expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 8 })
  })

  it('continues in steps as pods terminate, each of which is progress', async () => {
    await begin({ replicas: 6 })
    await change({ replicas: 3 })
    await change({ replicas: 6 })
    for (const left of [2, 1]) {
      await passMinutes(8)
      await bench.finishTerminating(1)
      await bench.settle()
      expect((await web.read()).status?.terminatingReplicas).toBe(left)
      expect(await progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    }
    expect(await web.sizes()).toEqual({ 'a:1': 5 })
  })
})

describe('pausing', () => {
  it('changes no size in the middle of a rollout; as pods terminate, the ReplicaSets fill up to spec.replicas', async () => {
    await begin({ replicas: 20, strategy: rolling(0, '50%') })
    await setImage('a:2')
    const sizes = { 'a:1': 10, 'a:2': 0 }
    expect(await web.sizes()).toEqual(sizes)
    await change({ paused: true })
    await web.annotate({ note: 'x' })
    await passMinutes(3)
    expect(await web.sizes()).toEqual(sizes)
    await bench.finishTerminating()
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:1': 20, 'a:2': 0 })
    await change({ paused: false })
    await web.rollOut(20)
  })

  it('and resuming say what the rollout or scale waits for, as long as it waits', async () => {
    await begin({ strategy: rolling(0, 2) })
    await setImage('a:2')
    await change({ paused: true })
    expect((await progressing())?.message).toMatch(/^Deployment is paused\. Waiting for 2 terminating pods since /)
    await change({ paused: false })
    expect(await progressing()).toMatchObject({
      reason: 'DeploymentResumed',
      message: expect.stringMatching(/^Deployment is resumed\. Waiting for 2 terminating pods since \S+: web-\S+, web-\S+\.$/),
    })
    // A scale of a paused Deployment waits for room as well.
    await change({ paused: true, replicas: 8 })
    expect((await progressing())?.message).toMatch(/^Deployment is paused\. Waiting for 2 terminating pods since /)
    await bench.finishTerminating()
    await bench.settle()
    expect(await progressing()).toMatchObject({ reason: 'DeploymentPaused', message: 'Deployment is paused' })
  })

  it('with a scale: the paused Deployment follows it', async () => {
    await begin({ replicas: 4 })
    await change({ paused: true, replicas: 6 })
    expect(await web.sizes()).toEqual({ 'a:1': 6 })
  })
})

describe('Recreate', () => {
  const strategy = { type: 'Recreate' }

  it('is not complete while old pods terminate; each termination is progress; without any, the deadline is exceeded', async () => {
    await begin({ replicas: 3, strategy })
    await setImage('a:2')
    const first = await progressing()
    expect(first).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    await passMinutes(8)
    await bench.finishTerminating(1)
    await bench.settle()
    const second = await progressing()
    expect(second).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    expect(Date.parse(second!.lastUpdateTime!) - Date.parse(first!.lastUpdateTime!)).toBe(8 * 60_000)
    await passMinutes(8)
    expect(await progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    await passMinutes(3)
    expect(await progressing()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
    await bench.finishTerminating()
    await bench.settle()
    expect(await progressing()).toMatchObject({ status: 'True' })
    await web.rollOut(3)
    await bench.settle()
    expect(await progressing()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
  })

  it('a rollback behaves the same', async () => {
    await begin({ replicas: 3, strategy })
    await setImage('a:2')
    await bench.finishTerminating()
    await web.rollOut(3)
    await bench.settle()
    await setImage('a:1')
    expect(await progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    await passMinutes(12)
    expect(await progressing()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
  })
})

describe('a terminatingReplicas that another writer dropped', () => {
  const drop = (resource: typeof deployments | typeof replicaSets, name: string) =>
    bench.client.patch(
      resource as Kind as typeof pods,
      { namespace: 'default', name },
      'merge',
      { status: { terminatingReplicas: null } } as object,
      {
        subresource: 'status',
      },
    )

  for (const terminating of [0, 1])
    it(`is restored where ${terminating} pods terminate, and the rollout completes`, async () => {
      await begin({ replicas: 4, strategy: rolling(1, 1) })
      if (terminating > 0) await setImage('a:2')
      for (const { metadata } of await web.readSets()) await drop(replicaSets, metadata.name)
      await drop(deployments, 'web')
      await passMinutes(1)
      const counts = (await web.readSets()).map(({ status }) => status?.terminatingReplicas)
      expect(counts.every((count) => count !== undefined)).toBe(true)
      expect((await web.read()).status?.terminatingReplicas).toBe(terminating)
      await setImage('a:3')
      await web.rollOut(4)
    })
})

describe('a ReplicaSet that is deleted under its Deployment', () => {
  /** Plays the garbage collector. */
  const collect = async () => {
    const uids = new Set((await web.readSets()).map(({ metadata }) => metadata.uid))
    for (const { metadata } of await bench.podsOf()) {
      const owner = metadata.ownerReferences?.[0]
      if (owner !== undefined && !uids.has(owner.uid) && metadata.deletionTimestamp === undefined)
        await bench.client.delete(pods, { namespace: 'default', name: metadata.name })
    }
    await bench.settle()
  }
  const deleteSet = async () => {
    const [set] = await web.readSets()
    await bench.client.delete(replicaSets, { namespace: 'default', name: set!.metadata.name })
    await bench.settle()
  }

  for (const strategy of [rolling(1, 1), { type: 'Recreate' }])
    it(`${strategy.type}: its pods hold room until they have terminated`, async () => {
      await begin({ replicas: 4, strategy })
      await deleteSet()
      await collect()
      const surge = strategy.type === 'Recreate' ? 0 : 1
      expect(await bench.podsOf()).toHaveLength(4 + surge)
      expect((await web.read()).status?.terminatingReplicas).toBe(4)
      await bench.finishTerminating(2)
      await bench.settle()
      expect((await bench.podsOf()).length).toBeLessThanOrEqual(4 + surge)
      expect((await web.read()).status?.terminatingReplicas).toBe(2)
      await bench.restartControllers()
      await bench.settle()
      expect((await bench.podsOf()).length).toBeLessThanOrEqual(4 + surge)
      await web.rollOut(4)
      await bench.settle()
      expect((await web.read()).status?.terminatingReplicas).toBe(0)
      expect(await progressing()).toMatchObject({ reason: 'NewReplicaSetAvailable' })
    })

  it('does not count pods that lost their controller while they terminate', async () => {
    await begin({ replicas: 4, strategy: rolling(0, 2) })
    await change({ replicas: 2 })
    const terminating = (await bench.podsOf()).filter(isBeingDeleted)
    const [set] = await web.readSets()
    for (const { metadata } of await bench.podsOf())
      await bench.client.patch(pods, { namespace: 'default', name: metadata.name }, 'strategic', {
        metadata: { ownerReferences: [{ $patch: 'delete', uid: set!.metadata.uid }] },
      })
    await bench.settle()
    await change({ replicas: 4 })
    expect(terminating).toHaveLength(2)
    expect((await bench.podsOf()).filter((pod) => !isBeingDeleted(pod))).toHaveLength(4)
  })

  it('without a policy nothing waits for them', async () => {
    await begin({ replicas: 4, strategy: rolling(1, 1), podReplacementPolicy: undefined })
    await deleteSet()
    await collect()
    expect(await bench.podsOf()).toHaveLength(8)
    expect((await web.read()).status?.terminatingReplicas).toBe(0)
    await web.rollOut(4)
  })
})

describe('the description of the wait', () => {
  const events = async (reason: string) => (await bench.events()).filter((line) => line.startsWith(`${reason}: `))

  it('is in the message of Progressing and in an Event: how many pods, since when, and some names', async () => {
    await begin({ replicas: 6 })
    await change({ replicas: 1 })
    const terminating = (await bench.podsOf()).filter(isBeingDeleted).map(({ metadata }) => metadata.name)
    bench.pass(5000)
    await change({ replicas: 6 })
    const names = [...terminating].sort().slice(0, 3).join(', ')
    const text = `Waiting for 5 terminating pods since 2026-11-01T12:00:00Z: ${names} and 2 more`
    const [set] = await web.readSets()
    expect((await progressing())?.message).toBe(`ReplicaSet "${set!.metadata.name}" is progressing. ${text}.`)
    expect(await events('WaitingForTermination')).toEqual([`WaitingForTermination: ${text}`])

    await bench.finishTerminating(4)
    await bench.settle()
    await web.reportAll()
    await bench.settle()
    const [last] = (await bench.podsOf()).filter(isBeingDeleted)
    const left = `Waiting for 1 terminating pod since 2026-11-01T12:00:00Z: ${last!.metadata.name}`
    expect((await progressing())?.message).toBe(`ReplicaSet "${set!.metadata.name}" is progressing. ${left}.`)
    await passMinutes(12)
    expect(await progressing()).toMatchObject({
      reason: 'ProgressDeadlineExceeded',
      message: `ReplicaSet "${set!.metadata.name}" has timed out progressing. ${left}.`,
    })
    expect(await events('WaitingForTermination')).toEqual([`WaitingForTermination: ${text}`, `WaitingForTermination: ${left}`])

    await web.rollOut(6)
    await bench.settle()
    expect((await progressing())?.message).toBe(`ReplicaSet "${set!.metadata.name}" has successfully progressed.`)
  })

  it('is not spoken of where nothing waits: without a policy, and for a pod that is evicted later', async () => {
    await begin({ replicas: 3, strategy: rolling(1, 1), podReplacementPolicy: undefined })
    await setImage('a:2')
    await web.rollOut(3)
    await change({ podReplacementPolicy: 'TerminationComplete' })
    await web.evictOne()
    await bench.settle()
    await web.reportAll()
    await bench.settle()
    expect((await web.read()).status?.terminatingReplicas).toBe(1)
    expect((await progressing())?.message).toMatch(/has successfully progressed\.$/)
    expect(await events('WaitingForTermination')).toEqual([])
  })

  it('names the pods of a Recreate rollout that has no new ReplicaSet yet', async () => {
    await begin({ replicas: 2, strategy: { type: 'Recreate' } })
    await setImage('a:2')
    expect((await progressing())?.message).toMatch(
      /^Deployment "web" is progressing\. Waiting for 2 terminating pods since .*: web-.*, web-.*\.$/,
    )
  })
})

describe('rollcall.dev/stuck-termination-timeout', () => {
  const annotation = 'rollcall.dev/stuck-termination-timeout'
  const stuckEvents = async () => (await bench.events()).filter((line) => line.startsWith('StuckTermination: '))

  for (const strategy of [rolling(0, 1), { type: 'Recreate' }])
    for (const more of [{}, { terminatingAsActive: true }])
      it(`${strategy.type} ${JSON.stringify(more)}: a pod that outlives its grace period by so much no longer holds room`, async () => {
        await begin({ replicas: 3, strategy, ...more })
        await web.annotate({ [annotation]: '10m' })
        await setImage('a:2')
        const [stuck] = (await bench.podsOf()).filter(isBeingDeleted)
        for (let round = 0; round < 8; round++) {
          await web.reportAll()
          await endOthers(stuck!.metadata.name)
        }
        expect((await web.sizes())['a:2'] ?? 0).toBeLessThan(3)
        // The grace period of 30 seconds, and ten minutes.
        await passMinutes(10)
        expect(await stuckEvents()).toEqual([])
        expect((await web.sizes())['a:2'] ?? 0).toBeLessThan(3)
        await passMinutes(1)
        expect(await stuckEvents()).toEqual([
          expect.stringContaining(`Pod ${stuck!.metadata.name} is still terminating and no longer holds room`),
        ])
        for (let round = 0; round < 8; round++) {
          await web.reportAll()
          await endOthers(stuck!.metadata.name)
        }
        expect(await web.sizes()).toEqual({ 'a:1': 0, 'a:2': 3 })
        expect((await web.read()).status).toMatchObject({ updatedReplicas: 3, availableReplicas: 3, terminatingReplicas: 1 })
        expect(await progressing()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
        expect(await stuckEvents()).toHaveLength(1)
      })

  it('lets a ReplicaSet with terminatingAsActive replace an evicted pod that never terminates', async () => {
    await begin({ replicas: 3, terminatingAsActive: true })
    await web.annotate({ [annotation]: '5m' })
    await web.evictOne()
    await passMinutes(5)
    expect(await bench.podsOf()).toHaveLength(3)
    await passMinutes(1)
    expect(await bench.podsOf()).toHaveLength(4)
  })

  it('that cannot be read is reported, and every pod holds room until it has terminated', async () => {
    await begin()
    await web.annotate({ [annotation]: 'soon' })
    await bench.settle()
    expect(await bench.events()).toContain(
      'InvalidAnnotation: Cannot read annotation "rollcall.dev/stuck-termination-timeout": must be a duration like 90s, 10m or 1h30m, got "soon"',
    )
  })
})
