import { describe, expect, it } from 'vitest'
import type { CreateClusterOptions } from './cluster-api.ts'
import { readClusterOptions } from './cluster-options.ts'
import { createCluster } from './test-cluster.ts'

describe('readClusterOptions()', () => {
  it.each<[what: string, options: object, message: string]>([
    ['an option that does not exist', { node: 3 }, 'there is no option "node"; there are nodes, autoscale, '],
    ['too few nodes', { nodes: -1 }, 'Cannot make -1 nodes: give a whole number from 0 to 5000'],
    ['a number of nodes as text', { nodes: '3' }, 'Cannot make "3" nodes'],
    ['a size that is none', { nodes: [{}, { cpu: 'lots' }] }, 'nodes[1].cpu: cpu "lots" is not a quantity'],
    ['a name that no node can have', { nodes: [{ name: 'Big_One' }] }, 'nodes[0].name: name "Big_One" must be lower case'],
    ['a field that does not exist', { nodes: [{ naem: 'big' }] }, 'nodes[0].naem: unknown field "naem"'],
    ['what is no group', { nodes: ['big'] }, 'nodes[0]: a group of nodes is expected here'],
    ['a seed that is no number', { seed: 'a' }, 'Cannot draw from seed "a": give a whole number'],
    ['a gate that does not exist', { gates: { Nope: true } }, 'Cannot set feature gate "Nope": unknown gate'],
    [
      'a gate without what it needs',
      { gates: { DeploymentReplicaSetTerminatingReplicas: false, DeploymentPodReplacementPolicy: true } },
      'which is off',
    ],
    [
      'a stage that does nothing',
      { stages: 'apiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nspec: { resourceRef: { kind: Pod } }' },
      'it does nothing',
    ],
    ['what is no stage', { stages: [{ kind: 'Pod' }] }, 'kind "Pod" is not a Stage'],
    ['one image for a list', { missingImages: 'shop/web:2' }, "give a list of names, such as ['shop/web:2']"],
    ['a time that is none', { startTime: 'soon' }, 'Cannot read startTime "soon"'],
  ])('refuses %s', (_, options, message) => expect(readClusterOptions(options as CreateClusterOptions)).rejects.toThrow(message))

  it('reads what is right', async () => {
    const { groups, seed, gates } = await readClusterOptions({
      nodes: [{ count: 2, cpu: '8' }],
      seed: 7,
      gates: { TerminatingAsActive: false },
    })
    expect({ groups, seed, gate: gates.TerminatingAsActive }).toEqual({ groups: [{ count: 2, cpu: '8' }], seed: 7, gate: false })
  })
})

describe('a cluster that has stopped', () => {
  it('says so, and may be stopped again', async () => {
    const cluster = await createCluster({ nodes: 1 })
    await cluster.stop()
    await cluster.stop()
    await expect(cluster.advance('1m')).rejects.toThrow('the cluster has stopped')
    await expect(cluster.until(() => true)).rejects.toThrow('the cluster has stopped')
    await expect(cluster.settle()).rejects.toThrow('the cluster has stopped')
  })
})

describe('how pods live', () => {
  const web = (image: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'c', image }] },
  })
  const stage = (name: string, phase: string, next: string, delayMs: number) => ({
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: { matchExpressions: [{ key: '.status.phase', operator: 'In', values: [phase] }] },
      delay: { durationMilliseconds: delayMs, jitterDurationMilliseconds: 3 * delayMs },
      next: { statusTemplate: `phase: ${next}\npodIP: {{ PodIP }}` },
    },
  })

  it('follows stages, the same for the same seed', async () => {
    const live = async () => {
      const cluster = await createCluster({
        nodes: 2,
        stages: [stage('run', 'Pending', 'Running', 1000), stage('end', 'Running', 'Succeeded', 20_000)],
      })
      await cluster.apply(web('nginx'))
      await cluster.until(async () => (await cluster.get('pod', 'web'))?.status?.phase === 'Running')
      expect((await cluster.get('pod', 'web'))?.status?.podIP).toMatch(/^10\.244\./)
      await cluster.until(async () => (await cluster.get('pod', 'web'))?.status?.phase === 'Succeeded')
      const trace = cluster.trace()
      await cluster.stop()
      return trace
    }
    expect(await live()).toEqual(await live())
  })

  it('pulls no image that is missing', async () => {
    const cluster = await createCluster({ nodes: 1, missingImages: ['shop/web'] })
    await cluster.apply(web('shop/web:2'))
    const reason = async () => (await cluster.get('pod', 'web'))?.status?.containerStatuses?.[0]?.state?.waiting?.reason
    await cluster.until(async () => (await reason()) === 'ImagePullBackOff')
    await cluster.stop()
  })
})
