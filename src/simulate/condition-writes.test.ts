// KEP-2804: the conditions are written together with counts that change anyway, and never cost a write of their own.
import { describe, expect, it } from 'vitest'
import type { KindName } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

const container = { name: 'c', image: 'app:1' }
const template = (more: object = {}) => ({
  metadata: { labels: { app: 'a' }, annotations: { 'rollcall.dev/start-delay': '2s', 'rollcall.dev/stop-delay': '5s' } },
  spec: { containers: [container], ...more },
})
const selector = { matchLabels: { app: 'a' } }
const replaced = { spec: { template: { spec: { containers: [{ ...container, image: 'app:2' }] } } } }

type Row = { readonly name: string; readonly kind: KindName; readonly manifest: object; readonly isRolledOut: boolean }

const rows: readonly Row[] = [
  {
    name: 'a StatefulSet',
    kind: 'statefulset',
    manifest: { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { replicas: 4, serviceName: 'a', selector, template: template() } },
    isRolledOut: true,
  },
  {
    name: 'a StatefulSet with minReadySeconds',
    kind: 'statefulset',
    manifest: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      spec: { replicas: 4, minReadySeconds: 3, podManagementPolicy: 'Parallel', serviceName: 'a', selector, template: template() },
    },
    isRolledOut: true,
  },
  {
    name: 'a DaemonSet',
    kind: 'daemonset',
    manifest: { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: { selector, template: template() } },
    isRolledOut: true,
  },
  {
    name: 'a DaemonSet with surge',
    kind: 'daemonset',
    manifest: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      spec: { selector, updateStrategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }, template: template() },
    },
    isRolledOut: true,
  },
  {
    name: 'a Deployment',
    kind: 'deployment',
    manifest: { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 4, selector, template: template() } },
    isRolledOut: true,
  },
  {
    name: 'a ReplicaSet',
    kind: 'replicaset',
    manifest: { apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { replicas: 4, selector, template: template() } },
    isRolledOut: false,
  },
  {
    name: 'a ReplicationController',
    kind: 'replicationcontroller',
    manifest: { apiVersion: 'v1', kind: 'ReplicationController', spec: { replicas: 4, template: template() } },
    isRolledOut: false,
  },
  {
    name: 'a Job',
    kind: 'job',
    manifest: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        parallelism: 2,
        completions: 6,
        podReplacementPolicy: 'Failed',
        template: template({ restartPolicy: 'Never', containers: [{ ...container, command: ['sh', '-c', 'sleep 10'] }] }),
      },
    },
    isRolledOut: false,
  },
]

/** How often the workload is written while it starts, while a pod of it is deleted, and while all its pods are replaced. */
async function writesOf({ kind, manifest, isRolledOut }: Row, ExtendedWorkloadConditions: boolean): Promise<readonly number[]> {
  await using cluster = await createCluster({ nodes: 4, gates: { ExtendedWorkloadConditions } })
  const written = () => cluster.trace().filter((line) => line.includes(`update ${kind}s default/a `)).length
  const counts: number[] = []
  const count = () => void counts.push(written() - counts.reduce((sum, one) => sum + one, 0))
  await cluster.apply({ ...manifest, metadata: { name: 'a' } } as never)
  await cluster.advance('5s')
  const [pod] = await cluster.list('pod')
  await cluster.advance('1m')
  count()
  await cluster.delete('pod', pod!.metadata.name).catch(() => {})
  await cluster.settle()
  count()
  if (isRolledOut) {
    await cluster.patch(kind, 'a', replaced, { type: 'strategic' })
    await cluster.settle()
    count()
  }
  return counts
}

describe('the extended conditions', () => {
  it.each(rows)('cost $name no write', async (row) => {
    const without = await writesOf(row, false)
    expect(await writesOf(row, true)).toEqual(without)
  })
})
