import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pods, replicaSets } from '../../api/kinds.ts'
import { controllerReference } from '../../api/machinery/owners.ts'
import type { Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { type DeploymentSpec, type PlayedDeployment, playDeployment, rolling } from '../../cluster/testing/deployment-player.ts'
import { startDeploymentController } from '../../controllers/deployment/deployment-controller.ts'
import { startReplicaSetController } from '../../controllers/replica-set/replica-set-controller.ts'

let bench: ControllerBench
let web: PlayedDeployment
beforeEach(async () => {
  bench = await openControllerBench({ start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)] })
  web = playDeployment(bench)
})

/** Another client creates a pod that the set owns. */
const addPod = async (name: string, of?: Stored<ReplicaSet>) => {
  const set = of ?? (await web.readSets())[0]
  const { labels } = set!.spec!.template!.metadata!
  const ownerReferences = [controllerReference('apps/v1', 'ReplicaSet', set!)]
  await bench.client.create(pods, 'default', {
    metadata: { name, ...(labels && { labels }), ownerReferences },
    ...(set!.spec!.template!.spec && { spec: set!.spec!.template!.spec }),
  } as Pod)
}
const begin = async (spec: object = {}) => {
  const whole = { replicas: 2, strategy: rolling(0, 1), podReplacementPolicy: 'TerminationComplete', ...spec }
  await web.create(whole as DeploymentSpec)
  await web.rollOut(2)
  await bench.settle()
}

describe('checkPodCap()', () => {
  it('finds a pod too many, and fails the test at its end', async () => {
    await begin()
    await bench.stopControllers()
    await addPod('extra')
    expect(bench.podCap.excesses).toEqual(['web: 3 pods where 2 may be, 0 more excused, when pod extra Pending'])
    await expect(bench.stop()).rejects.toThrow('Too many pods: web: 3 pods where 2 may be')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['under terminatingAsActive alone', () => begin({ podReplacementPolicy: null, terminatingAsActive: true })],
    [
      'asked for by annotation',
      async () => {
        await begin({ podReplacementPolicy: null })
        await web.annotate({ 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' })
        await bench.settle()
        bench.pass(1)
      },
    ],
  ])('finds a pod too many %s', async (_, play) => {
    await play()
    await bench.stopControllers()
    await addPod('extra')
    expect(bench.podCap.excesses).toEqual(['web: 3 pods where 2 may be, 0 more excused, when pod extra Pending'])
    await expect(bench.stop()).rejects.toThrow('Too many pods')
  })

  it('counts the pods of a deleted ReplicaSet', async () => {
    await begin()
    await bench.stopControllers()
    bench.pass(1000)
    const [set] = await web.readSets()
    await bench.client.delete(replicaSets, { namespace: 'default', name: set!.metadata.name }, { propagationPolicy: 'Background' })
    const { uid: _uid, resourceVersion: _version, ...metadata } = set!.metadata
    const again = await bench.client.create(replicaSets, 'default', { ...set!, metadata: { ...metadata, name: 'again' } } as ReplicaSet)
    await addPod('extra', again)
    expect(bench.podCap.excesses).toEqual(['web: 3 pods where 2 may be, 0 more excused, when pod extra Pending'])
    await expect(bench.stop()).rejects.toThrow('Too many pods')
  })

  describe('finds nothing', () => {
    afterEach(() => bench.stop())

    it('without the policy, or while its gate is off', async () => {
      await begin({ podReplacementPolicy: 'TerminationStarted' })
      await bench.stopControllers()
      await addPod('extra')
      await web.change({ podReplacementPolicy: 'TerminationComplete' })
      bench.gates.DeploymentPodReplacementPolicy = false
      await addPod('another')
      expect(bench.podCap.excesses).toEqual([])
    })

    it('in pods that are there when the Deployment becomes smaller, until there are more of them', async () => {
      await begin()
      await web.change({ replicas: 1 })
      await bench.settle()
      expect(await bench.podsOf()).toHaveLength(2)
      expect(bench.podCap.excesses).toEqual([])
    })

    it('in the replacement of a pod that a user deletes', async () => {
      await begin()
      await web.evictOne()
      await bench.settle()
      expect(bench.podCap.peak('web')).toBe(3)
      expect(bench.podCap.excesses).toEqual([])
    })
  })
})
