import { describe, expect, it } from 'vitest'
import { bindings, nodes } from '../../api/kinds.ts'
import type { Pod } from '../../api/types.ts'
import { input, openBench, options, pod, podKind } from '../rest/testing/rest-bench.ts'

const zone = 'topology.kubernetes.io/zone'
const region = 'topology.kubernetes.io/region'

async function openWithNode() {
  const bench = await openBench()
  await bench.create(nodes, { metadata: { name: 'n', labels: { [zone]: 'z', [region]: 'r', 'topology.kubernetes.io/rack': 'k' } } })
  return bench
}
const labelsOf = ({ metadata }: Pod) => metadata?.labels

describe('a pod', () => {
  it('that is created with a node gets its topology labels, which win', async () => {
    const bench = await openWithNode()
    const created = (await bench.create(podKind, pod('a', { nodeName: 'n' }, { labels: { a: 'b', [zone]: 'other' } }))) as Pod
    expect(labelsOf(created)).toEqual({ a: 'b', [zone]: 'z', [region]: 'r' })
  })

  it('that is created with a node that does not exist keeps its labels', async () => {
    const bench = await openWithNode()
    expect(labelsOf((await bench.create(podKind, pod('a', { nodeName: 'gone' }))) as Pod)).toEqual({ app: 'x' })
  })

  it('that is bound gets them, but not through the legacy endpoint', async () => {
    const bench = await openWithNode()
    const binding = (name: string) => input({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n' } })
    for (const name of ['a', 'b']) await bench.create(podKind, pod(name))
    await bench.rest.createSubresource(podKind, 'default', 'a', 'binding', binding('a'), options)
    await bench.rest.create(bindings, 'default', binding('b'), options)
    const [a, b] = ['a', 'b'].map((name) => bench.rest.get(podKind, 'default', name, undefined))
    expect(labelsOf((await a)!.object as Pod)).toEqual({ app: 'x', [zone]: 'z', [region]: 'r' })
    expect(labelsOf((await b)!.object as Pod)).toEqual({ app: 'x' })
  })
})
