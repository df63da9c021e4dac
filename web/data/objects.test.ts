import { expect, it } from 'vitest'
import { type Pod, podParts } from './objects.ts'
import { entryOf } from './pod-summary.ts'

const metadata = {
  name: 'web-0',
  namespace: 'default',
  uid: 'a',
  creationTimestamp: '1970-01-01T00:00:10Z',
  labels: { 'controller-revision-hash': 'web-1' },
  annotations: { note: 'long' },
  managedFields: [{ manager: 'kubelet' }],
  ownerReferences: [{ kind: 'StatefulSet', name: 'web', uid: 's', controller: true }],
}
const containers = [
  { name: 'c', image: 'web:1', env: [{ name: 'A', value: 'b' }], resources: { requests: { cpu: '250m', memory: '64Mi' } } },
  { name: 'd', image: 'proxy:1' },
]
const waiting = { name: 'c', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } } }

const pods: [string, Pod][] = [
  ['bound', { metadata, spec: { nodeName: 'n1', containers }, status: { phase: 'Running', containerStatuses: [waiting] } }],
  [
    'terminating',
    {
      metadata: { ...metadata, deletionTimestamp: '1970-01-01T00:00:40Z', deletionGracePeriodSeconds: 30 },
      spec: { nodeName: 'n1', containers },
    },
  ],
  ['with a scheduling gate', { metadata, spec: { schedulingGates: [{ name: 'rollcall.dev/pacer' }], containers } }],
  ['finished', { metadata, spec: { nodeName: 'n1', containers }, status: { phase: 'Failed', reason: 'Evicted' } }],
  [
    'unschedulable',
    {
      metadata,
      spec: { containers },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }] },
    },
  ],
]

it.each(pods)('podParts() leaves the summary of a pod as it is, and drops the rest: %s', (_, pod) => {
  const parts = podParts(structuredClone(pod))
  expect(entryOf(parts, 5)).toEqual(entryOf(pod, 5))
  expect(JSON.stringify(parts)).not.toMatch(/managedFields|annotations|env|image/)
})
