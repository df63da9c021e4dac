import { describe, expect, it } from 'vitest'
import { nodes, pods } from '../../api/kinds.ts'
import type { Pod } from '../../api/types.ts'
import { input, openBench, options, refusal } from '../rest/testing/rest-bench.ts'

/** A pod of 100m and 10Mi on a node with one CPU and 1Gi. */
async function resize(requests: object, nodeName = 'node'): Promise<Pod> {
  const bench = await openBench()
  await bench.create(nodes, { metadata: { name: 'node' }, status: { allocatable: { cpu: '1', memory: '1Gi' } } })
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '10Mi' } } }
  const sidecar = { name: 's', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '300m' } } }
  await bench.create(pods, { metadata: { name: 'a' }, spec: { nodeName, containers: [container], initContainers: [sidecar] } })
  const patch = input({ spec: { containers: [{ name: 'c', resources: { requests } }] } })
  return (await bench.rest.patch(pods, 'default', 'a', 'resize', 'strategic', patch, options)).response.object as Pod
}

describe('the resize of a pod', () => {
  it('is accepted up to what its node has, sidecars included', async () => {
    expect((await resize({ cpu: '700m', memory: '1Gi' })).spec?.containers[0]?.resources?.requests).toEqual({ cpu: '700m', memory: '1Gi' })
  })

  it('is accepted of a pod without a node', async () => {
    expect((await resize({ cpu: '5' }, '')).spec?.containers[0]?.resources?.requests).toMatchObject({ cpu: '5' })
  })

  it('is accepted on a node that does not exist, where it changes nothing', async () => {
    expect((await resize({ cpu: '100m' }, 'gone')).metadata?.generation).toBe(1)
  })

  it.each([
    ['of more', { cpu: '750m' }, 'node', "node didn't have enough allocatable resources: cpu, requested: 1050, allocatable: 1000"],
    [
      'of more of both',
      { cpu: '2', memory: '2Gi' },
      'node',
      "node didn't have enough allocatable resources: cpu, requested: 2300, allocatable: 1000; memory, requested: 2147483648, allocatable: 1073741824",
    ],
    ['on a node that does not exist', { cpu: '200m' }, 'gone', 'node "gone" not found'],
  ])('%s is forbidden', async (_, requests, nodeName, message) => {
    const { code, message: found } = await refusal(resize(requests, nodeName))
    expect([code, found]).toEqual([403, `pods "a" is forbidden: ${message}`])
  })

  it('that is too large for the node has a cause', async () => {
    expect((await refusal(resize({ cpu: '2' }))).details?.causes).toEqual([{ reason: 'NodeCapacity' }])
  })
})
