import { describe, expect, it } from 'vitest'
import type { Pod, PodSpec } from '../../api/types.ts'
import { firstState } from './pod-sync.ts'
import { mountError } from './provided-files.ts'
import { environment } from './testing/pod-life.ts'
import { syncWithStatus } from './testing/sync-with-status.ts'

const spec = (...volumes: object[]) => ({ containers: [{ name: 'c', image: 'nginx' }], volumes }) as PodSpec
const read = (kind: string, name: string) => (name === 'there' ? { kind } : undefined)

const trustBundle = (source: object) => ({ projected: { sources: [{ clusterTrustBundle: { path: 'ca.pem', ...source } }] } })

describe('mountError()', () => {
  it.each<[what: string, volume: object, error: string | undefined]>([
    ['an existing ConfigMap', { configMap: { name: 'there' } }, undefined],
    ['a ConfigMap that is not', { configMap: { name: 'nope' } }, 'MountVolume.SetUp failed for volume "v" : configmap "nope" not found'],
    ['a Secret that is not', { secret: { secretName: 'nope' } }, 'MountVolume.SetUp failed for volume "v" : secret "nope" not found'],
    ['one that may be missing', { secret: { secretName: 'nope', optional: true } }, undefined],
    [
      'one of several sources',
      { projected: { sources: [{ configMap: { name: 'there' } }, { downwardAPI: {} }, { secret: { name: 'nope' } }] } },
      'MountVolume.SetUp failed for volume "v" : secret "nope" not found',
    ],
    ['a volume of another sort', { emptyDir: {} }, undefined],
    ['an existing trust bundle', trustBundle({ name: 'there' }), undefined],
    [
      'a trust bundle that is not',
      trustBundle({ name: 'nope' }),
      'MountVolume.SetUp failed for volume "v" : while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io "nope" not found',
    ],
    [
      'a signer without trust bundles',
      trustBundle({ signerName: 'example.com/s', labelSelector: {} }),
      'MountVolume.SetUp failed for volume "v" : combination of signerName and labelSelector matched zero ClusterTrustBundles',
    ],
    ['a trust bundle that may be missing', trustBundle({ name: 'nope', optional: true }), undefined],
  ])('of %s', (_, volume, error) =>
    expect(
      mountError(spec({ name: 'v', ...volume }), {
        readData: read,
        readTrustBundles: ({ name }) => (name === 'there' ? [{ spec: { trustBundle: '' } }] : []),
      }),
    ).toBe(error),
  )

  it('reports no error without access to objects', () =>
    expect(mountError(spec({ name: 'v', configMap: { name: 'nope' } }), {})).toBeUndefined())
})

describe('a pod whose ConfigMap is created late', () => {
  it('has no sandbox, retries with exponential back-off, and then starts', () => {
    let exists = false
    const here = { ...environment, readData: () => (exists ? {} : undefined) }
    const pod = { metadata: { name: 'web', uid: 'u' }, spec: spec({ name: 'v', configMap: { name: 'late' } }) } as Pod
    let state = firstState(pod, 0, here)
    const events: string[] = []
    const timers: number[] = []
    for (let nowMs: number | undefined = 0; nowMs !== undefined && nowMs < 5000; ) {
      exists = nowMs >= 3000
      const step = syncWithStatus(state, pod, nowMs, here)
      state = step.state
      events.push(...step.events.map(({ reason }) => `${nowMs} ${reason}`))
      if (nowMs < 3000) expect(step.status).toMatchObject({ phase: 'Pending', containerStatuses: [{ state: { waiting: {} } }] })
      if (nowMs < 3000) expect(step.status.podIP).toBeUndefined()
      timers.push(nowMs)
      nowMs = step.requeueAtMs
      if (nowMs === undefined) expect(step.status).toMatchObject({ phase: 'Running', podIP: '10.244.0.2' })
    }
    expect(events).toEqual(['100 FailedMount', '600 FailedMount', '1600 FailedMount', '3600 Pulled', '3600 Created', '3600 Started'])
    expect(timers).toEqual([0, 100, 600, 1600, 3600])
  })
})
