import { describe, expect, it } from 'vitest'
import { daemonSets, deployments, nodes as nodeKind, persistentVolumeClaims, pods as podKind } from '../../api/kinds.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client, ListRequest } from '../../client/client.ts'
import { InputError } from '../rollout/input-error.ts'
import { createScopeClient } from './scope-client.ts'
import { podSecondsOverCap, surveyCluster } from './survey.ts'
import { surveyLines } from './survey-lines.ts'

const labels = (name: string) => ({ app: name })
const stored = (kind: string, name: string, spec: object, more: object = {}): Stored<KubernetesObject> =>
  ({
    kind,
    metadata: { name, uid: `${kind}-${name}`, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', ...more },
    spec,
  }) as never
const workload = (kind: string, name: string, replicas: number, cpu: string, grace: number, more: object = {}) =>
  stored(
    kind,
    name,
    {
      ...(kind !== 'DaemonSet' && { replicas }),
      selector: { matchLabels: labels(name) },
      template: {
        metadata: { labels: labels(name) },
        spec: { terminationGracePeriodSeconds: grace, containers: [{ name: 'a', image: 'a:1', resources: { requests: { cpu } } }] },
      },
      ...more,
    },
    { namespace: 'shop' },
  )
const node = (name: string, cpu: string) => ({
  ...stored('Node', name, {}),
  status: { allocatable: { cpu, memory: '16Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
})

/** Counts the requests. */
function clusterOf(objects: Readonly<Record<string, readonly Stored<KubernetesObject>[]>>) {
  const requests: string[] = []
  const client = {
    list: async (resource: Resource, { namespace }: ListRequest = {}) => {
      requests.push(`${resource.plural} ${namespace ?? ''}`)
      const items = (objects[resource.plural] ?? []).filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
      return { items, resourceVersion: '1' }
    },
    get: async () => {
      throw new Error('nothing is read one by one')
    },
  } as unknown as Client
  return { client, requests }
}

const request = { server: 'https://127.0.0.1', namespace: undefined, now: '2026-01-01T00:00:00Z' }
const style = { width: 100, hasColour: false, isUtf8: true }

describe('surveyCluster()', () => {
  const { client, requests } = clusterOf({
    deployments: [
      workload('Deployment', 'small', 2, '100m', 30),
      workload('Deployment', 'large', 8, '450m', 120),
      workload('Deployment', 'asleep', 0, '1', 30),
      workload('Deployment', 'no-surge', 2, '100m', 30, { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }),
    ],
    statefulsets: [workload('StatefulSet', 'db', 2, '100m', 30)],
    daemonsets: [workload('DaemonSet', 'agent', 0, '10m', 5)],
    nodes: [node('a', '2'), node('b', '2')],
  })

  it('ranks the rollouts of a cluster by pods over the cap and time, and by the nodes that they add', { timeout: 120_000 }, async () => {
    const survey = await surveyCluster({ ...request, client, nodePrice: 0.6 }, { workers: 0 })
    const overshoot = survey.workloads.map(({ podSecondsOverCap }) => podSecondsOverCap)
    expect(overshoot).toEqual([...overshoot].sort((a, b) => b - a))
    const [large] = survey.workloads
    const small = survey.workloads.find(({ name }) => name === 'small')
    expect(large).toMatchObject({ kind: 'Deployment', name: 'large', cap: 10, namespace: 'shop' })
    expect(large!.peakOverCap).toBeGreaterThan(0)
    expect(large!.nodesAdded).toBeGreaterThan(0)
    // A node costs a cent a minute.
    expect(large!.cost).toBeCloseTo(large!.nodeMinutesAdded! / 100, 6)
    expect(large!.podSecondsOverCap).toBeGreaterThan(small!.podSecondsOverCap)
    expect(survey.workloads).toHaveLength(5)
    for (const name of ['db', 'agent'])
      expect(survey.workloads.find((one) => one.name === name)).toMatchObject({ peakOverCap: 0, nodesAdded: 0 })
    expect(survey.notes).toContain('1 of the workloads has no replicas, and is left out')
    // One request for each kind, however many workloads there are.
    expect(requests.length).toBe(new Set(requests).size)

    const lines = surveyLines(survey, style, false)
    expect(lines.join('\n')).toMatch(/^5 workloads, each restarted on its own, .*\n?.*exceed their\s+cap/)
    expect(lines.find((line) => line.startsWith('deployment/shop/large'))).toMatch(/ {2}10 +\d+ +\d+ +\S.* +\d+\.\d\d +\S/)
    expect(lines.some((line) => line.startsWith('statefulset/shop/db'))).toBe(false)
    expect(surveyLines(survey, style, true).some((line) => line.startsWith('statefulset/shop/db'))).toBe(true)
    expect(lines.at(-1)).toBe('rollcall simulate --from-cluster deployment/large -n shop --to restart')
  })

  it('names a workload that cannot be simulated, and goes on', { timeout: 60_000 }, async () => {
    const unplaced = workload('Deployment', 'lost', 1, '100m', 30)
    const { template } = (unplaced as unknown as { spec: { template: { spec: object } } }).spec
    template.spec = { ...template.spec, nodeSelector: { disk: 'nosuch' } }
    const own = clusterOf({ deployments: [unplaced, workload('Deployment', 'web', 1, '100m', 30)], nodes: [node('a', '2')] })
    const { workloads, failed } = await surveyCluster({ ...request, client: own.client, within: '5m' }, { workers: 0 })
    expect(workloads.map(({ name }) => name)).toEqual(['web'])
    expect(failed).toEqual([expect.objectContaining({ name: 'lost', reason: expect.stringMatching(/never becomes available/) })])
  })

  it('says that there is nothing to simulate', async () => {
    await expect(surveyCluster({ ...request, client: clusterOf({}).client })).rejects.toThrow(
      new InputError('There are no workloads with pods: no Deployment, StatefulSet or DaemonSet.'),
    )
  })
})

describe('podSecondsOverCap()', () => {
  it('counts pods beyond the cap of the moment, without those that wait for the pacer', () => {
    const series = {
      times: [0, 2000, 5000],
      layers: [
        { revision: 1, state: 'ready', values: [4, 3, 0] },
        { revision: 2, state: 'starting', values: [1, 3, 4] },
        { revision: 2, state: 'waiting', values: [9, 9, 9] },
      ],
      cap: [4, 5, 5],
    }
    expect(podSecondsOverCap(series as never)).toBe(1 * 2 + 1 * 3)
  })
})

describe('createScopeClient()', () => {
  const pod = (namespace: string) => stored('Pod', 'a', {}, { namespace })
  it('lists all namespaces once, and takes each from it', async () => {
    const { client, requests } = clusterOf({ pods: [pod('one'), pod('two')], deployments: [], daemonsets: [] })
    const scoped = createScopeClient(client, undefined)
    expect((await scoped.list(podKind, { namespace: 'one' })).items).toHaveLength(1)
    expect((await scoped.list(podKind)).items).toHaveLength(2)
    expect((await scoped.list(podKind, { namespace: 'none' })).items).toHaveLength(0)
    await Promise.all([scoped.list(deployments), scoped.list(deployments), scoped.list(daemonSets)])
    expect(requests).toEqual(['pods ', 'deployments ', 'daemonsets '])
  })
  it('lists a namespace, and of the whole cluster what has no namespace', async () => {
    const { client, requests } = clusterOf({ pods: [pod('one'), pod('two')] })
    const scoped = createScopeClient(client, 'one')
    expect((await scoped.list(podKind, { namespace: 'one' })).items).toHaveLength(1)
    expect((await scoped.list(podKind)).items).toHaveLength(2)
    await scoped.list(nodeKind)
    await expect(scoped.get(persistentVolumeClaims, { namespace: 'one', name: 'data' })).rejects.toThrow('"data" not found')
    expect(requests).toEqual(['pods one', 'pods ', 'nodes ', 'persistentvolumeclaims one'])
  })
})
