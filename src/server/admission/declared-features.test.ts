// The messages are those of kube-apiserver v1.37.1.
import { describe, expect, it } from 'vitest'
import { nodes } from '../../api/kinds.ts'
import { input, openBench, options, pod, podKind, refusal } from '../rest/testing/rest-bench.ts'

async function resizeInit(declaredFeatures: readonly string[]): Promise<unknown> {
  const bench = await openBench()
  const allocatable = { cpu: '4', memory: '1Gi' }
  await bench.create(nodes, { metadata: { name: 'n' }, status: { allocatable, declaredFeatures } })
  const init = { name: 'init', image: 'i', resources: { requests: { cpu: '1' } } }
  await bench.create(podKind, pod('a', { nodeName: 'n', initContainers: [init] }))
  const patch = input({ spec: { initContainers: [{ name: 'init', resources: { requests: { cpu: '2' } } }] } })
  const { response } = await bench.rest.patch(podKind, 'default', 'a', 'resize', 'strategic', patch, options)
  return (response.object as { spec?: { initContainers?: readonly { resources?: unknown }[] } }).spec?.initContainers?.[0]?.resources
}

it('of a pod as a whole needs a feature that the node declares', async () => {
  const bench = await openBench()
  await bench.create(nodes, { metadata: { name: 'n' }, status: { allocatable: { cpu: '4' } } })
  await bench.create(podKind, pod('a', { nodeName: 'n', resources: { requests: { cpu: '1' } } }))
  const patch = input({ spec: { resources: { requests: { cpu: '2' } } } })
  const { message } = await refusal(bench.rest.patch(podKind, 'default', 'a', 'resize', 'merge', patch, options))
  expect(message).toBe(
    'pods "a" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "n"',
  )
})

describe('the resize of an init container', () => {
  it('needs a feature that the node declares', async () => {
    expect(await resizeInit(['InPlacePodVerticalScalingInitContainers'])).toEqual({ requests: { cpu: '2' } })
    const { code, message } = await refusal(resizeInit([]))
    expect([code, message]).toEqual([
      403,
      'pods "a" is forbidden: pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "n"',
    ])
  })
})
