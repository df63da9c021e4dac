import { describe, expect, it } from 'vitest'
import type { CreateClusterOptions } from './cluster-api.ts'
import { readClusterOptions } from './cluster-options.ts'
import { createCluster } from './testing.ts'

describe('readClusterOptions()', () => {
  it.each<[what: string, options: object, message: string]>([
    ['an option that does not exist', { node: 3 }, 'there is no option "node"; there are nodes, autoscale, '],
    ['too few nodes', { nodes: -1 }, 'Cannot make -1 nodes: give a whole number from 0 to 5000'],
    ['a number of nodes as text', { nodes: '3' }, 'Cannot make "3" nodes'],
    ['a size that is none', { nodes: [{}, { cpu: 'lots' }] }, 'nodes[1].cpu: cpu "lots" is no quantity'],
    ['a name that no node can have', { nodes: [{ name: 'Big_One' }] }, 'nodes[0].name: name "Big_One" must be lower case'],
    ['a field that does not exist', { nodes: [{ naem: 'big' }] }, 'nodes[0].naem: unknown field "naem"'],
    ['what is no group', { nodes: ['big'] }, 'nodes[0]: a group of nodes is expected here'],
    ['a seed that is no number', { seed: 'a' }, 'Cannot draw from seed "a": give a whole number'],
    ['a gate that does not exist', { gates: { Nope: true } }, 'Cannot set feature gate "Nope": unknown gate'],
    ['a gate without what it needs', { gates: { DeploymentReplicaSetTerminatingReplicas: false } }, 'which is off'],
    ['a time that is none', { startTime: 'soon' }, 'Cannot read startTime "soon"'],
  ])('refuses %s', (_, options, message) => expect(() => readClusterOptions(options as CreateClusterOptions)).toThrow(message))

  it('reads what is right', () => {
    const { groups, seed, gates } = readClusterOptions({ nodes: [{ count: 2, cpu: '8' }], seed: 7, gates: { TerminatingAsActive: false } })
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
