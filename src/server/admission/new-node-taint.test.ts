import { describe, expect, it } from 'vitest'
import type { Node, Writable } from '../../api/types.ts'
import { addNewNodeTaint } from './new-node-taint.ts'

describe('addNewNodeTaint()', () => {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
  const taintsAfter = (spec?: object) => {
    const node = { metadata: { name: 'n' }, ...(spec && { spec }) } as Writable<Node>
    addNewNodeTaint(node)
    return node.spec?.taints
  }
  for (const [name, spec, expected] of [
    ['taints a node without a spec', undefined, [taint]],
    ['adds to the taints of the node', { taints: [{ key: 'k', effect: 'NoExecute' }] }, [{ key: 'k', effect: 'NoExecute' }, taint]],
    ['adds it once', { taints: [{ ...taint, value: 'v' }] }, [{ ...taint, value: 'v' }]],
  ] as const)
    it(name, () => expect(taintsAfter(spec)).toEqual(expected))
})
