import { describe, expect, it } from 'vitest'
import type { DaemonSet, PodSpec } from '../../../api/types.ts'
import { nodeOf, setOf } from '../testing/sample-objects.ts'
import { placementOf } from './placement.ts'
import { tolerationsOf } from './tolerations.ts'

type Template = NonNullable<DaemonSet['spec']>['template']

const required = (...nodeSelectorTerms: readonly object[]) =>
  ({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } }) as Partial<PodSpec>
const expression = (key: string, operator: string, ...values: readonly string[]) =>
  required({ matchExpressions: [{ key, operator, values }] })
const field = (operator: string, ...values: readonly string[]) => required({ matchFields: [{ key: 'metadata.name', operator, values }] })
const taint = (effect: string, key = 'k', value = 'v') => ({ taints: [{ key, value, effect }] })
const tolerating = (...tolerations: readonly object[]) => ({ tolerations }) as Partial<PodSpec>

describe('placementOf()', () => {
  const rows: { name: string; spec?: Partial<PodSpec>; node?: Parameters<typeof nodeOf>[1]; is: 'yes' | 'no' | 'stays' }[] = [
    { name: 'any node by itself', is: 'yes' },
    { name: 'the node of the template', spec: { nodeName: 'n1' }, is: 'yes' },
    { name: 'not the node of the template', spec: { nodeName: 'n2' }, is: 'no' },
    { name: 'a node selector that matches', spec: { nodeSelector: { disk: 'ssd' } }, node: { labels: { disk: 'ssd' } }, is: 'yes' },
    { name: 'a node selector with another value', spec: { nodeSelector: { disk: 'ssd' } }, node: { labels: { disk: 'hdd' } }, is: 'no' },
    { name: 'a node selector without the label', spec: { nodeSelector: { disk: 'ssd' } }, is: 'no' },
    { name: 'a node selector on a label that every object seems to have', spec: { nodeSelector: { constructor: 'x' } }, is: 'no' },
    { name: 'In', spec: expression('zone', 'In', 'a', 'b'), node: { labels: { zone: 'b' } }, is: 'yes' },
    { name: 'In, and it is not', spec: expression('zone', 'In', 'a'), node: { labels: { zone: 'b' } }, is: 'no' },
    { name: 'NotIn without the label', spec: expression('zone', 'NotIn', 'a'), is: 'yes' },
    { name: 'NotIn, and it is', spec: expression('zone', 'NotIn', 'a'), node: { labels: { zone: 'a' } }, is: 'no' },
    { name: 'Exists', spec: expression('zone', 'Exists'), node: { labels: { zone: '' } }, is: 'yes' },
    { name: 'Exists, and it does not', spec: expression('zone', 'Exists'), is: 'no' },
    { name: 'DoesNotExist', spec: expression('zone', 'DoesNotExist'), is: 'yes' },
    { name: 'Gt', spec: expression('cores', 'Gt', '8'), node: { labels: { cores: '16' } }, is: 'yes' },
    { name: 'Gt, and it is equal', spec: expression('cores', 'Gt', '16'), node: { labels: { cores: '16' } }, is: 'no' },
    { name: 'Lt', spec: expression('cores', 'Lt', '100'), node: { labels: { cores: '16' } }, is: 'yes' },
    { name: 'Lt on what is no number', spec: expression('cores', 'Lt', '100'), node: { labels: { cores: 'many' } }, is: 'no' },
    { name: 'the name as a field', spec: field('In', 'n1'), is: 'yes' },
    { name: 'another name as a field', spec: field('In', 'n2'), is: 'no' },
    { name: 'not the name as a field', spec: field('NotIn', 'n1'), is: 'no' },
    {
      name: 'one term of several',
      spec: required(
        { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] },
      ),
      is: 'yes',
    },
    {
      name: 'all of a term',
      spec: required({
        matchExpressions: [{ key: 'a', operator: 'Exists' }],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
      }),
      is: 'no',
    },
    { name: 'an empty term is met by none', spec: required({}), is: 'no' },
    { name: 'NoSchedule: no new pod, but one that is there stays', node: taint('NoSchedule'), is: 'stays' },
    { name: 'NoExecute: none stays', node: taint('NoExecute'), is: 'no' },
    { name: 'PreferNoSchedule is no obstacle', node: taint('PreferNoSchedule'), is: 'yes' },
    { name: 'tolerated by its value', spec: tolerating({ key: 'k', value: 'v' }), node: taint('NoSchedule'), is: 'yes' },
    { name: 'tolerated by its key', spec: tolerating({ key: 'k', operator: 'Exists' }), node: taint('NoExecute'), is: 'yes' },
    { name: 'everything is tolerated', spec: tolerating({ operator: 'Exists' }), node: taint('NoExecute'), is: 'yes' },
    {
      name: 'another value is tolerated',
      spec: tolerating({ key: 'k', operator: 'Equal', value: 'w' }),
      node: taint('NoSchedule'),
      is: 'stays',
    },
    {
      name: 'another effect is tolerated',
      spec: tolerating({ key: 'k', operator: 'Exists', effect: 'NoSchedule' }),
      node: taint('NoExecute'),
      is: 'no',
    },
    { name: 'daemons go to nodes that are closed', node: taint('NoSchedule', 'node.kubernetes.io/unschedulable', ''), is: 'yes' },
    { name: 'daemons stay on nodes that are not ready', node: taint('NoExecute', 'node.kubernetes.io/not-ready', ''), is: 'yes' },
    { name: 'daemons do not go to nodes that are not ready', node: taint('NoSchedule', 'node.kubernetes.io/not-ready', ''), is: 'stays' },
    {
      name: 'without a network: only on the host network',
      node: taint('NoSchedule', 'node.kubernetes.io/network-unavailable', ''),
      is: 'stays',
    },
    {
      name: 'on the host network',
      spec: { hostNetwork: true },
      node: taint('NoSchedule', 'node.kubernetes.io/network-unavailable', ''),
      is: 'yes',
    },
    {
      name: 'NoExecute counts wherever it stands',
      node: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'b', effect: 'NoExecute' },
        ],
      },
      is: 'no',
    },
  ]
  for (const { name, spec = {}, node, is } of rows)
    it(name, () => {
      const set = setOf({ template: { spec: { containers: [], ...spec } } as Template })
      expect(placementOf(set)(nodeOf('n1', node))).toMatchObject({ shouldRun: is === 'yes', shouldStay: is !== 'no' })
    })
})

describe('tolerationsOf()', () => {
  it('replaces a toleration for a time by one for ever, in its place', () => {
    const own = [
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      { key: 'mine', operator: 'Exists' },
    ]
    const tolerations = tolerationsOf({ tolerations: own })
    expect(tolerations.slice(0, 3)).toEqual([
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
      { key: 'mine', operator: 'Exists' },
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    ])
    expect(tolerations).toHaveLength(7)
  })
})
