// KEP-2804 with nodes that are lost, tainted and added: Progressing is about the rollout that the user requested,
// Operational of the nodes that are served.
import { afterEach, describe, expect, it } from 'vitest'
import type { DaemonSet, Stored } from '../api/types.ts'
import type { TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

let cluster: TestCluster
afterEach(() => cluster?.stop())

const agent = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: {
    progressDeadlineSeconds: 30,
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'c', image }] } },
  },
})

const statusOf = async () => ((await cluster.get('daemonset', 'agent')) as Stored<DaemonSet>).status!
const said = async () =>
  Object.fromEntries((await statusOf()).conditions?.map(({ type, status, reason }) => [type, `${status} ${reason}`]) ?? [])
const complete = { Progressing: 'True NewRevisionAvailable', Operational: 'True SufficientReplicasAvailable' }
const unserved = { ...complete, Operational: 'False InsufficientReplicasAvailable' }
const isComplete = async () => (await said())['Progressing'] === complete.Progressing && (await statusOf()).numberAvailable === 3

describe('a DaemonSet whose rollout is complete', () => {
  const open = async () => {
    cluster = await createCluster({ nodes: 3, missingImages: ['nginx:missing'] })
    await cluster.apply(agent('nginx:1'))
    await cluster.until(isComplete)
    expect(await said()).toEqual(complete)
    return (await cluster.list('node')).map(({ metadata }) => metadata.name)
  }

  it('stays complete when a node is lost, and is not operational until the node is back', async () => {
    const [, lost = ''] = await open()
    cluster.stopNode(lost)
    await cluster.advance('10m')
    expect((await statusOf()).desiredNumberScheduled).toBe(2)
    expect(await said()).toEqual(unserved)
    cluster.startNode(lost)
    await cluster.until(async () => (await statusOf()).numberAvailable === 3)
    expect(await said()).toEqual(complete)
  })

  it('stays complete when a node is tainted, with or without its pod', async () => {
    const [, tainted = ''] = await open()
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: tainted },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
    })
    await cluster.advance('10m')
    expect((await statusOf()).numberMisscheduled).toBe(1)
    expect(await said()).toEqual(complete)
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: tainted },
      spec: { taints: [{ key: 'k', effect: 'NoExecute' }] },
    })
    await cluster.advance('10m')
    expect((await statusOf()).numberMisscheduled).toBe(0)
    expect(await said()).toEqual(complete)
  })

  it('stays complete when a node is added on which its pod cannot start', async () => {
    await open()
    await cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'empty' } })
    await cluster.advance('10m')
    expect((await said())['Progressing']).toBe(complete.Progressing)
  })

  it('begins another with another template, and fails that one when it does not end', async () => {
    await open()
    await cluster.apply(agent('nginx:missing'))
    await cluster.advance('1s')
    expect((await said())['Progressing']).toMatch(/^True (NewRevisionCreated|RevisionUpdated)$/)
    await cluster.advance('5m')
    expect(await said()).toEqual({ ...unserved, Progressing: 'False ProgressDeadlineExceeded' })
    await cluster.apply(agent('nginx:1'))
    await cluster.until(isComplete)
  })
})

describe('a DaemonSet whose rollout is not complete', () => {
  it('completes when a node is tainted on which its new pod stays', async () => {
    cluster = await createCluster({ nodes: 3 })
    const spec = { ...agent('nginx:1').spec, minReadySeconds: 5 }
    await cluster.apply({ ...agent('nginx:1'), spec })
    await cluster.until(async () => (await statusOf())?.numberReady === 3)
    const [node] = await cluster.list('node')
    const taints = [{ key: 'k', effect: 'NoSchedule' }]
    await cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: node!.metadata.name }, spec: { taints } })
    await cluster.advance('10m')
    expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 2, numberMisscheduled: 1, numberAvailable: 2 })
    expect(await said()).toEqual(complete)
  })
})
