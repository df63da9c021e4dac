import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { sampleDeployment, startMs } from '../testing/sample-objects.ts'
import { sortUncounted } from './strays.ts'

const sample = sampleDeployment({ policy: 'TerminationComplete' })
const deployment = { ...sample, metadata: { ...sample.metadata, creationTimestamp: formatTime(startMs) } }

interface SamplePod {
  /** The kind and name of its controller. */
  readonly controller?: readonly [string, string]
  readonly hash?: string
  readonly ageMs?: number
  readonly isTerminating?: boolean
}

function samplePod({ controller, hash = 'abc', ageMs = 0, isTerminating = true }: SamplePod): Stored<Pod> {
  const owner = controller && { apiVersion: 'apps/v1', kind: controller[0], name: controller[1], uid: 'u', controller: true }
  return {
    metadata: {
      name: 'p',
      namespace: 'n',
      uid: 'p',
      resourceVersion: '1',
      creationTimestamp: formatTime(startMs - ageMs),
      labels: { app: 'x', 'pod-template-hash': hash },
      ...(isTerminating && { deletionTimestamp: formatTime(startMs) }),
      ...(owner && { ownerReferences: [owner] }),
    },
  } as Stored<Pod>
}

describe('sortUncounted()', () => {
  it.each<[string, SamplePod, 'stray' | 'orphan' | 'neither']>([
    ['a terminating pod of a deleted ReplicaSet of the Deployment', { controller: ['ReplicaSet', 'web-abc'] }, 'stray'],
    ['one that is not terminating yet', { controller: ['ReplicaSet', 'web-abc'], isTerminating: false }, 'stray'],
    ['one that is older than the Deployment', { controller: ['ReplicaSet', 'web-abc'], ageMs: 1000 }, 'neither'],
    ['a pod of a ReplicaSet of another Deployment', { controller: ['ReplicaSet', 'web-canary-abc'] }, 'neither'],
    ['a pod of a standalone ReplicaSet', { controller: ['ReplicaSet', 'other'] }, 'neither'],
    ['a pod with another hash than its ReplicaSet', { controller: ['ReplicaSet', 'web-abc'], hash: 'def' }, 'neither'],
    ['a pod of another kind', { controller: ['Job', 'web-abc'] }, 'neither'],
    ['a terminating pod without a controller', {}, 'neither'],
    ['a pod without a controller that a ReplicaSet may adopt', { isTerminating: false }, 'orphan'],
  ])('%s', (_name, given, expected) => {
    const { strays, orphans } = sortUncounted(deployment, [samplePod(given)])
    expect(strays.length > 0 ? 'stray' : orphans.length > 0 ? 'orphan' : 'neither').toBe(expected)
  })
})
