import { afterEach, describe, expect, it } from 'vitest'
import { deployments, podDisruptionBudgets, pods, replicaSets, statefulSets } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, OwnerReference, Pod, PodDisruptionBudget, ReplicaSet, StatefulSet, Status, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startDisruptionController } from './disruption-controller.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const open = async () => {
  bench = await openControllerBench({ start: startDisruptionController })
  return bench
}

const labels = { app: 'web' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }

const createBudget = (spec: object, name = 'budget') =>
  bench.client.create(podDisruptionBudgets, 'default', {
    metadata: { name },
    spec: { selector: { matchLabels: labels }, ...spec },
  } as PodDisruptionBudget)

async function createPods(count: number, owner?: OwnerReference, what: 'ready' | 'running' | 'none' = 'ready'): Promise<Stored<Pod>[]> {
  const made: Stored<Pod>[] = []
  for (let i = 0; i < count; i++) {
    const metadata = { generateName: `${owner?.name ?? 'free'}-`, labels, ...(owner && { ownerReferences: [owner] }) }
    const pod = await bench.client.create(pods, 'default', { metadata, spec: template.spec } as Pod)
    if (what !== 'none') await bench.report(pod, what)
    made.push(pod)
  }
  return made
}

const referenceTo = (
  apiVersion: string,
  kind: string,
  { metadata }: { readonly metadata: { readonly name: string; readonly uid: string } },
): OwnerReference => ({ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true })

const createReplicaSet = async (replicas: number, owner?: OwnerReference) => {
  const set = await bench.client.create(replicaSets, 'default', {
    metadata: { generateName: 'set-', ...(owner && { ownerReferences: [owner] }) },
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as unknown as ReplicaSet)
  return referenceTo('apps/v1', 'ReplicaSet', set)
}

const statusOf = async (name = 'budget') => {
  await bench.settle()
  return (await bench.client.get(podDisruptionBudgets, { namespace: 'default', name })).status!
}

const evict = (pod: Stored<Pod>) =>
  bench.client.createSubresource(pods, { namespace: 'default', name: pod.metadata.name }, 'eviction', {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod.metadata.name, namespace: 'default' },
  })

const refusalOf = async (request: Promise<unknown>): Promise<Status> => {
  try {
    await request
  } catch (error) {
    if (isStatusError(error)) return error.status
    throw error
  }
  throw new Error('Expected a refusal')
}

describe('startDisruptionController()', () => {
  it('counts the pods of a plain minimum', async () => {
    await open()
    await createPods(3)
    await createPods(1, undefined, 'running')
    await createBudget({ minAvailable: 2 })
    expect(await statusOf()).toMatchObject({
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 4,
      conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', observedGeneration: 1, message: '' }],
    })
    expect(bench.failures).toEqual([])
  })

  it('reports that there are no pods', async () => {
    await open()
    await createBudget({ minAvailable: 1 })
    expect(await statusOf()).toMatchObject({ disruptionsAllowed: 0, conditions: [{ reason: 'InsufficientPods' }] })
    expect(await bench.events()).toContain('NoPods: No matching pods found')
  })

  it('measures by the ReplicaSet', async () => {
    await open()
    await createPods(3, await createReplicaSet(5))
    await createBudget({ maxUnavailable: '50%' })
    expect(await statusOf()).toMatchObject({ expectedPods: 5, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 })
  })

  it('measures by the Deployment of two ReplicaSets', async () => {
    await open()
    const deployment = await bench.client.create(deployments, 'default', {
      metadata: { name: 'web' },
      spec: { replicas: 4, selector: { matchLabels: labels }, template },
    } as unknown as Deployment)
    const owner = referenceTo('apps/v1', 'Deployment', deployment)
    await createPods(2, await createReplicaSet(2, owner))
    await createPods(2, await createReplicaSet(3, owner))
    await createBudget({ maxUnavailable: 1 })
    expect(await statusOf()).toMatchObject({ expectedPods: 4, desiredHealthy: 3, currentHealthy: 4, disruptionsAllowed: 1 })
  })

  it('measures by the scale of a custom resource', async () => {
    const widgets = { ...deployments, kind: 'Widget' }
    bench = await openControllerBench({ start: (parts) => startDisruptionController({ ...parts, kinds: { current: () => [widgets] } }) })
    const widget = await bench.client.create(deployments, 'default', {
      metadata: { name: 'web' },
      spec: { replicas: 4, selector: { matchLabels: labels }, template },
    } as unknown as Deployment)
    await createPods(3, referenceTo('apps/v1', 'Widget', widget))
    await createBudget({ maxUnavailable: 2 })
    expect(await statusOf()).toMatchObject({ expectedPods: 4, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 })
  })

  it('measures by the StatefulSet, and by the scale of any other owner', async () => {
    await open()
    const set = await bench.client.create(statefulSets, 'default', {
      metadata: { name: 'db' },
      spec: { replicas: 3, serviceName: 'db', selector: { matchLabels: labels }, template },
    } as unknown as StatefulSet)
    const deployment = await bench.client.create(deployments, 'default', {
      metadata: { name: 'odd' },
      spec: { replicas: 6, selector: { matchLabels: labels }, template },
    } as unknown as Deployment)
    await createPods(1, referenceTo('apps/v1', 'StatefulSet', set))
    await createPods(1, referenceTo('apps/v1', 'Deployment', deployment))
    await createBudget({ minAvailable: '10%' })
    expect(await statusOf()).toMatchObject({ expectedPods: 9, desiredHealthy: 1, disruptionsAllowed: 1 })
  })

  for (const [name, owner, message] of [
    [
      'without a scale',
      { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd' },
      'daemonsets.apps does not implement the scale subresource',
    ],
    ['that was deleted', { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r' }, 'found no controllers for pod "r-'],
    ['of an unknown kind', { apiVersion: 'a.b/v1', kind: 'Thing', name: 't', uid: 't' }, 'no matches for kind "Thing" in version "a.b/v1"'],
  ] as const)
    it(`allows nothing for an owner ${name}`, async () => {
      await open()
      await createPods(1, { ...owner, controller: true })
      await createBudget({ maxUnavailable: 1 })
      const { conditions, disruptionsAllowed } = await statusOf()
      expect(disruptionsAllowed).toBe(0)
      expect(conditions).toMatchObject([{ status: 'False', reason: 'SyncFailed' }])
      expect(conditions?.[0]?.message).toContain(message)
      expect((await bench.events()).join()).toContain(
        `CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: ${message}`,
      )
      expect(bench.failures).toEqual([])
    })

  it('warns about pods without a controller', async () => {
    await open()
    await createPods(1)
    await createPods(2, await createReplicaSet(2))
    await createBudget({ maxUnavailable: 1 })
    expect(await statusOf()).toMatchObject({ expectedPods: 2, desiredHealthy: 1, currentHealthy: 3, disruptionsAllowed: 2 })
    expect((await bench.events()).filter((event) => event.startsWith('UnmanagedPods'))).toEqual([
      'UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
    ])
  })

  it('allows no more evictions than the budget', async () => {
    await open()
    const made = await createPods(4, await createReplicaSet(4))
    await createBudget({ minAvailable: 2 })
    expect((await statusOf()).disruptionsAllowed).toBe(2)
    const answers = await Promise.allSettled(made.map(evict))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason.status)
    for (const status of refused)
      expect(status).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        reason: 'TooManyRequests',
        details: {
          causes: [{ reason: 'DisruptionBudget', message: expect.stringMatching(/^The disruption budget budget /) }],
        },
        code: 429,
      })
    expect(await statusOf()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 })
    expect((await statusOf()).disruptedPods).toBeUndefined()
    const standing = (await bench.podsOf()).find(({ metadata }) => metadata.deletionTimestamp === undefined)!
    expect((await refusalOf(evict(standing))).details?.causes).toEqual([
      { reason: 'DisruptionBudget', message: 'The disruption budget budget needs 2 healthy pods and has 2 currently' },
    ])
    await createPods(1)
    await bench.settle()
    await evict(standing)
  })

  it('refuses an eviction right after the budget changed', async () => {
    await open()
    const [pod] = await createPods(2)
    await createBudget({ minAvailable: 1 })
    await bench.settle()
    const changed = bench.client.patch(podDisruptionBudgets, { namespace: 'default', name: 'budget' }, 'merge', {
      spec: { minAvailable: 0 },
    })
    await changed
    expect((await refusalOf(evict(pod!))).details).toMatchObject({
      retryAfterSeconds: 10,
      causes: [{ message: 'The disruption budget budget is still being processed by the server.' }],
    })
    await bench.settle()
    await evict(pod!)
  })

  it('counts a pod again that was not deleted after its eviction was granted', async () => {
    await open()
    const [pod] = await createPods(2)
    const budget = await createBudget({ minAvailable: 1 })
    await bench.settle()
    const current = await bench.client.get(podDisruptionBudgets, { namespace: 'default', name: budget.metadata.name })
    await bench.client.updateStatus(podDisruptionBudgets, {
      ...current,
      status: {
        ...current.status!,
        disruptionsAllowed: 0,
        disruptedPods: { [pod!.metadata.name]: formatTime(bench.clock.now()) as never },
      },
    })
    expect(await statusOf()).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0 })
    bench.pass(119_000)
    expect((await statusOf()).currentHealthy).toBe(1)
    bench.pass(1_001)
    expect(await statusOf()).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 })
    expect((await statusOf()).disruptedPods).toBeUndefined()
    expect(await bench.events()).toContain("NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't")
  })

  it('reports a pod with several budgets, and counts it for all of them', async () => {
    await open()
    await createBudget({ minAvailable: 0 }, 'one')
    await createBudget({ minAvailable: 0 }, 'two')
    const [pod] = await createPods(1)
    expect((await statusOf('one')).currentHealthy).toBe(1)
    expect((await statusOf('two')).currentHealthy).toBe(1)
    expect(await bench.events()).toContain(
      `MultiplePodDisruptionBudgets: Pod "default"/"${pod!.metadata.name}" matches multiple PodDisruptionBudgets.  Chose "one" arbitrarily.`,
    )
  })

  it('misses a pod that leaves by its labels', async () => {
    await open()
    const [pod] = await createPods(2)
    await createBudget({ minAvailable: 1 })
    expect((await statusOf()).currentHealthy).toBe(2)
    await bench.client.patch(pods, { namespace: 'default', name: pod!.metadata.name }, 'merge', { metadata: { labels: { app: 'other' } } })
    expect((await statusOf()).currentHealthy).toBe(1)
  })

  it('resets the condition of a disruption that did not happen', async () => {
    await open()
    const [pod] = await createPods(1)
    const ref = { namespace: 'default', name: pod!.metadata.name }
    const lastTransitionTime = formatTime(bench.clock.now())
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', lastTransitionTime }]
    await bench.client.patch(pods, ref, 'merge', { status: { conditions } }, { subresource: 'status' })
    await bench.settle()
    bench.pass(119_000)
    await bench.settle()
    expect((await bench.client.get(pods, ref)).status?.conditions).toMatchObject([{ status: 'True' }])
    bench.pass(1000)
    await bench.settle()
    expect((await bench.client.get(pods, ref)).status?.conditions).toMatchObject([{ type: 'DisruptionTarget', status: 'False' }])
  })
})
