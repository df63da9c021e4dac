import { describe, expect, it } from 'vitest'
import { measureTrace } from '../rollout/measure.ts'
import { sampleTrace } from '../rollout/testing/sample-trace.ts'
import type { Change } from '../rollout/trace.ts'
import { selectWorkloads, titleOf } from './selected-trace.ts'

describe('selectWorkloads()', () => {
  const trace = sampleTrace(4)
  const strangers = JSON.parse(
    JSON.stringify(trace.changes.filter((change) => !('node' in change)))
      .replaceAll('deployment-web', 'deployment-other')
      .replaceAll('set-', 'other-set-')
      .replaceAll('pod-', 'other-pod-')
      .replaceAll('Deployment/web', 'Deployment/other'),
  ) as Change[]
  // Pods first: they may be seen before the sets that own them.
  const mixed = [...trace.changes, ...strangers].sort((a, b) => a.atMs - b.atMs || Number('pod' in b) - Number('pod' in a))
  const selected = selectWorkloads(mixed, (uid) => uid === 'deployment-web')

  it('leaves nothing of others', () => expect(JSON.stringify(selected)).not.toContain('other'))
  it('leaves nothing out', () => expect(selected).toHaveLength(trace.changes.length))
  it('comes to the same as if there were no others', () => {
    const { podSeconds, peakPods } = measureTrace({ ...trace, changes: selected }).measures
    expect({ podSeconds, peakPods }).toMatchObject({ podSeconds: measureTrace(trace).measures.podSeconds })
    expect(measureTrace({ ...trace, changes: mixed }).measures.podSeconds).toBe(2 * podSeconds)
  })
  it('names the one workload, or counts them', () => {
    expect(titleOf(selected, 'namespace default')).toBe('Deployment default/web')
    expect(titleOf(mixed, 'namespace default')).toBe('2 workloads in namespace default')
  })
})
