import { describe, expect, it } from 'vitest'
import type { Container } from '../../api/types.ts'
import { readRequests } from './pod-requests.ts'
import { type SamplePod, samplePod } from './testing/sample-objects.ts'

const container = (cpu?: string, more: object = {}): Container => ({ name: 'c', ...(cpu && { resources: { requests: { cpu } } }), ...more })
const sidecar = { restartPolicy: 'Always' }

describe('readRequests()', () => {
  it.each<[name: string, pod: SamplePod, cpu: number]>([
    ['adds containers', { containers: [container('100m'), container('1.5')] }, 1600],
    ['uses the largest init container', { containers: [container('100m')], initContainers: [container('300m'), container('200m')] }, 300],
    ['leaves small init containers out', { containers: [container('400m')], initContainers: [container('300m')] }, 400],
    ['adds sidecars', { containers: [container('100m')], initContainers: [container('200m', sidecar)] }, 300],
    [
      'runs init containers beside the sidecars before them',
      { containers: [container('100m')], initContainers: [container('200m', sidecar), container('300m')] },
      500,
    ],
    [
      'runs init containers without the sidecars after them',
      { containers: [container('100m')], initContainers: [container('300m'), container('200m', sidecar)] },
      300,
    ],
    ['adds the overhead', { containers: [container('100m')], overhead: { cpu: '50m' } }, 150],
    ['prefers pod-level requests', { containers: [container('100m')], resources: { requests: { cpu: '1' } } }, 1000],
  ])('%s', (_, pod, cpu) => {
    expect(readRequests(samplePod('p', pod)).cpu).toBe(cpu)
  })

  it('uses default requests for containers without any', () => {
    const { cpu, nonZeroCpu, nonZeroMemory } = readRequests(samplePod('p', { containers: [container('300m'), container()] }))
    expect({ cpu, nonZeroCpu, nonZeroMemory }).toEqual({ cpu: 300, nonZeroCpu: 400, nonZeroMemory: 400 * 1024 * 1024 })
  })
})
