import { expect, it } from 'vitest'
import { nodes, pods } from '../../api/kinds.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { countedParts } from './counted-parts.ts'

const object = (parts: object) => parts as Stored<KubernetesObject>

it('keeps of a pod what is counted, and nothing that grows with its containers', () => {
  const metadata = {
    name: 'web-1',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '7',
    labels: { app: 'web' },
    finalizers: ['example.com/drain'],
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true }],
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 30,
  }
  const gates = [{ name: 'rollcall.dev/pacer' }]
  const ready = { type: 'Ready', status: 'True' }
  const pod = object({
    metadata: { ...metadata, managedFields: [{}], annotations: { note: 'long' } },
    spec: { containers: [{ name: 'web', image: 'web:1' }], nodeName: 'a', schedulingGates: gates, volumes: [{ name: 'token' }] },
    status: { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True' }, ready], containerStatuses: [{}] },
  })
  expect(countedParts(pods, pod)).toEqual({
    metadata,
    spec: { containers: [], nodeName: 'a', schedulingGates: gates },
    status: { phase: 'Running', conditions: [ready] },
  })
})

it('keeps of a node whether it is ready', () => {
  const ready = { type: 'Ready', status: 'False' }
  const metadata = { name: 'a', uid: 'u', resourceVersion: '7' }
  const node = object({ metadata: { ...metadata, labels: { zone: 'b' } }, status: { images: [{}], conditions: [ready] } })
  expect(countedParts(nodes, node)).toEqual({ metadata, status: { conditions: [ready] } })
})
