// KEP-3939 as a user sees it: when a Job replaces a pod that is terminating, with nodes that take their time to stop it.
import { afterEach, describe, expect, it } from 'vitest'
import type { Job, Pod, Stored } from '../api/types.ts'
import type { TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

let cluster: TestCluster | undefined
afterEach(async () => {
  await cluster?.stop()
  cluster = undefined
})

interface Setting {
  readonly spec?: object
  readonly annotations?: object
}

const job = ({ spec = {}, annotations = {} }: Setting) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum', annotations },
  spec: {
    completions: 2,
    parallelism: 2,
    ...spec,
    template: {
      metadata: { annotations: { 'rollcall.dev/stop-delay': '20s' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '3600'] }] },
    },
  },
})

const isEnded = ({ status }: Stored<Pod>) => status?.phase === 'Failed' || status?.phase === 'Succeeded'
const isRunning = (pod: Stored<Pod>) => pod.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined
const indexOf = ({ metadata }: Stored<Pod>) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? ''

interface Moment {
  /** Pods that have not ended, terminating ones among them. */
  readonly alive: number
  readonly maxOfAnIndex: number
  readonly terminating: number | undefined
  /** The phase of the pod that was deleted; undefined when it has been removed. */
  readonly phase: string | undefined
}

/** Deletes one of two running pods, and returns every moment until two run again. */
async function deleteOne(setting: Setting): Promise<Moment[]> {
  const running = await createCluster({ nodes: 3 })
  cluster = running
  const pods = async () => (await running.list('pod')) as Stored<Pod>[]
  await running.apply(job(setting))
  await running.until(async () => (await pods()).filter(isRunning).length === 2)
  const { name } = (await pods())[0]!.metadata
  await running.delete('pod', name)
  const moments: Moment[] = []
  await running.until(async () => {
    const all = await pods()
    const alive = all.filter((pod) => !isEnded(pod))
    const byIndex = new Map<string, number>()
    for (const pod of alive) byIndex.set(indexOf(pod), (byIndex.get(indexOf(pod)) ?? 0) + 1)
    const { status } = (await running.get('job', 'sum')) as Stored<Job>
    const deleted = all.find(({ metadata }) => metadata.name === name)
    moments.push({
      alive: alive.length,
      maxOfAnIndex: Math.max(...byIndex.values()),
      terminating: status?.terminating,
      phase: deleted?.status?.phase,
    })
    return deleted === undefined && all.filter(isRunning).length === 2
  })
  return moments
}

const most = (moments: readonly Moment[], field: 'alive' | 'maxOfAnIndex' | 'terminating') =>
  Math.max(...moments.map((moment) => moment[field] ?? 0))
const failed: readonly [string, Setting][] = [
  ['podReplacementPolicy: Failed', { spec: { podReplacementPolicy: 'Failed' } }],
  ['terminatingAsActive: true', { spec: { terminatingAsActive: true } }],
  ['its annotation', { annotations: { 'rollcall.dev/terminating-as-active': 'true' } }],
]

describe('a Job whose pod is deleted', () => {
  it.each(failed)('waits with %s until the pod has ended', async (_, setting) => {
    const moments = await deleteOne(setting)
    expect(most(moments, 'alive')).toBe(2)
    expect(most(moments, 'terminating')).toBe(1)
    expect(moments.at(-1)?.terminating).toBe(0)
  })

  it.each(failed)('waits with %s index by index', async (_, { spec, ...setting }) => {
    const moments = await deleteOne({ ...setting, spec: { ...spec, completionMode: 'Indexed' } })
    expect(most(moments, 'maxOfAnIndex')).toBe(1)
    expect(most(moments, 'alive')).toBe(2)
  })

  it.each<[string, Setting]>([
    ['by default', {}],
    ['with podReplacementPolicy: TerminatingOrFailed', { spec: { podReplacementPolicy: 'TerminatingOrFailed' } }],
    ['with terminatingAsActive: false', { spec: { terminatingAsActive: false } }],
  ])('replaces it at once %s', async (_, setting) => {
    const moments = await deleteOne(setting)
    expect(most(moments, 'alive')).toBe(3)
    expect(most(moments, 'terminating')).toBe(1)
  })

  it('finds the pod Failed before its node removes it', async () => {
    const phases = (await deleteOne({ spec: { podReplacementPolicy: 'Failed' } })).map(({ phase }) => phase)
    expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual(['Running', 'Failed', undefined])
  })
})

describe('a Job that ends while its pods terminate', () => {
  it.each<[string, object, string, string]>([
    ['fails', { activeDeadlineSeconds: 60 }, 'FailureTarget', 'Failed'],
    ['succeeds', { completionMode: 'Indexed', successPolicy: { rules: [{ succeededIndexes: '0' }] } }, 'SuccessCriteriaMet', 'Complete'],
  ])('%s in two steps', async (_, spec, first, last) => {
    const running = await createCluster({ nodes: 3 })
    cluster = running
    const command = ['sh', '-c', 'if [ "$JOB_COMPLETION_INDEX" = 0 ]; then sleep 30; else sleep 3600; fi']
    const given = job({ spec })
    given.spec.template.spec.containers[0]!.command = command
    await running.apply(given)
    const statusOf = async () => ((await running.get('job', 'sum')) as Stored<Job>).status
    const has = async (type: string) => (await statusOf())?.conditions?.some((one) => one.type === type && one.status === 'True') === true
    await running.until(() => has(first))
    expect(await has(last)).toBe(false)
    await running.until(async () => ((await statusOf())?.terminating ?? 0) > 0 || (await has(last)))
    expect(await has(last)).toBe(false)
    await running.until(() => has(last))
    expect((await statusOf())?.terminating).toBe(0)
    const pods = (await running.list('pod')) as Stored<Pod>[]
    expect(pods.filter((pod) => !isEnded(pod))).toEqual([])
  })
})
