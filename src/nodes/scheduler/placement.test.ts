import { describe, expect, it } from 'vitest'
import { type SampleCluster, type SamplePod, sampleState, scheduleOf } from './testing/sample-objects.ts'

const web = { app: 'web' }
const selector = { matchLabels: web }
const zone = (name: string) => ({ labels: { zone: name } })
const zones = { a1: zone('a'), a2: zone('a'), b1: zone('b') }
const nodeAffinity = (...nodeSelectorTerms: object[]): SamplePod =>
  ({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } }) as SamplePod
const expression = (key: string, operator: string, ...values: string[]) => ({ matchExpressions: [{ key, operator, values }] })
const byName = (...values: string[]) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values }] })
const term = (more: object = {}) => ({ topologyKey: 'zone', labelSelector: selector, ...more })
const near = (...terms: object[]) => ({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } }) as SamplePod
const away = (...terms: object[]) =>
  ({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } }) as SamplePod
const spread = (more: object = {}): SamplePod => ({
  labels: web,
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector, ...more }],
})
const port = (hostPort: number, more: object = {}): SamplePod => ({
  containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort, ...more }] }],
})
const taints = (effect: string) => ({ spec: { taints: [{ key: 'k', value: 'v', effect }] } })

const nodeAffinityUnmet = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."
const tainted = '0/1 nodes are available: 1 node(s) had untolerated taint(s).'
const noPort = "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports."

describe('planPlacement()', () => {
  describe.each<[string, [name: string, cluster: SampleCluster, pod: SamplePod, expected: string][]]>([
    [
      'NodeResourcesFit',
      [
        [
          'uses a node completely',
          { nodes: { n: { cpu: '1' } }, pods: { x: { on: 'n', requests: { cpu: '600m' } } } },
          { requests: { cpu: '400m' } },
          'n',
        ],
        [
          'refuses a little more',
          { nodes: { n: { cpu: '1' } }, pods: { x: { on: 'n', requests: { cpu: '600m' } } } },
          { requests: { cpu: '401m' } },
          '0/1 nodes are available: 1 Insufficient cpu.',
        ],
        [
          'names all that is lacking',
          { nodes: { n: { cpu: '1', memory: '1Gi' } } },
          { requests: { cpu: '2', memory: '2Gi', 'ephemeral-storage': '1Ti' } },
          '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient ephemeral-storage, 1 Insufficient memory.',
        ],
        ['counts pods', { nodes: { n: { pods: '1' } }, pods: { x: { on: 'n' } } }, {}, '0/1 nodes are available: 1 Too many pods.'],
        [
          'checks extended resources',
          { nodes: { n: { more: { 'x.example/gpu': '1' } }, m: {} } },
          { requests: { 'x.example/gpu': '1' } },
          'n',
        ],
        [
          'counts extended resources',
          { nodes: { n: { more: { 'x.example/gpu': '1' } } }, pods: { x: { on: 'n', requests: { 'x.example/gpu': '1' } } } },
          { requests: { 'x.example/gpu': '1' } },
          '0/1 nodes are available: 1 Insufficient x.example/gpu.',
        ],
        [
          'places a pod without requests on a full node',
          { nodes: { n: { cpu: '1' } }, pods: { x: { on: 'n', requests: { cpu: '3' } } } },
          {},
          'n',
        ],
      ],
    ],
    [
      'NodeUnschedulable and TaintToleration',
      [
        [
          'refuses a cordoned node',
          { nodes: { n: { spec: { unschedulable: true } } } },
          {},
          '0/1 nodes are available: 1 node(s) were unschedulable.',
        ],
        [
          'places a pod that tolerates the cordon',
          { nodes: { n: { spec: { unschedulable: true } } } },
          { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] },
          'n',
        ],
        ['refuses NoSchedule', { nodes: { n: taints('NoSchedule') } }, {}, tainted],
        ['refuses NoExecute', { nodes: { n: taints('NoExecute') } }, {}, tainted],
        ['allows PreferNoSchedule', { nodes: { n: taints('PreferNoSchedule') } }, {}, 'n'],
        ['tolerates key and value', { nodes: { n: taints('NoSchedule') } }, { tolerations: [{ key: 'k', value: 'v' }] }, 'n'],
        ['does not tolerate another value', { nodes: { n: taints('NoSchedule') } }, { tolerations: [{ key: 'k', value: 'w' }] }, tainted],
        [
          'does not tolerate another effect',
          { nodes: { n: taints('NoSchedule') } },
          { tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }] },
          tainted,
        ],
        ['tolerates everything', { nodes: { n: taints('NoExecute') } }, { tolerations: [{ operator: 'Exists' }] }, 'n'],
      ],
    ],
    [
      'NodeAffinity',
      [
        ['meets the selector', { nodes: zones }, { nodeSelector: { zone: 'b' } }, 'b1'],
        ['refuses by the selector', { nodes: { n: zone('a') } }, { nodeSelector: { zone: 'b' } }, nodeAffinityUnmet],
        ['knows In', { nodes: zones }, nodeAffinity(expression('zone', 'In', 'b', 'c')), 'b1'],
        ['knows NotIn', { nodes: zones }, nodeAffinity(expression('zone', 'NotIn', 'a')), 'b1'],
        ['treats a missing label as NotIn', { nodes: { n: {} } }, nodeAffinity(expression('zone', 'NotIn', 'a')), 'n'],
        ['checks Exists', { nodes: { n: {} } }, nodeAffinity(expression('zone', 'Exists')), nodeAffinityUnmet],
        ['checks DoesNotExist', { nodes: { n: {} } }, nodeAffinity(expression('zone', 'DoesNotExist')), 'n'],
        ['knows Gt', { nodes: { n: { labels: { size: '10' } } } }, nodeAffinity(expression('size', 'Gt', '9')), 'n'],
        ['knows Lt', { nodes: { n: { labels: { size: '10' } } } }, nodeAffinity(expression('size', 'Lt', '10')), nodeAffinityUnmet],
        ['accepts a match of any term', { nodes: zones }, nodeAffinity(expression('zone', 'In', 'x'), expression('zone', 'In', 'b')), 'b1'],
        ['meets no empty term', { nodes: { n: {} } }, nodeAffinity({}), nodeAffinityUnmet],
        [
          'asks only the node that is named',
          { nodes: { ...zones, b1: { cpu: '1' } } },
          { ...nodeAffinity(byName('b1')), requests: { cpu: '2' } },
          "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
        ],
        ['chooses the named node', { nodes: zones }, nodeAffinity(byName('a2')), 'a2'],
        [
          'refuses when the named node does not exist',
          { nodes: zones },
          nodeAffinity(byName('x')),
          "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity].",
        ],
        [
          'sees names that contradict each other',
          { nodes: zones },
          nodeAffinity({ matchFields: [...byName('a1').matchFields, ...byName('a2').matchFields] }),
          '0/3 nodes are available: pod affinity terms conflict.',
        ],
      ],
    ],
    [
      'NodePorts',
      [
        ['refuses a port in use', { nodes: { n: {} }, pods: { x: { on: 'n', ...port(80) } } }, port(80), noPort],
        ['distinguishes protocols', { nodes: { n: {} }, pods: { x: { on: 'n', ...port(80) } } }, port(80, { protocol: 'UDP' }), 'n'],
        [
          'distinguishes addresses',
          { nodes: { n: {} }, pods: { x: { on: 'n', ...port(80, { hostIP: '10.0.0.1' }) } } },
          port(80, { hostIP: '10.0.0.2' }),
          'n',
        ],
        [
          'treats 0.0.0.0 as every address',
          { nodes: { n: {} }, pods: { x: { on: 'n', ...port(80, { hostIP: '10.0.0.1' }) } } },
          port(80),
          noPort,
        ],
      ],
    ],
    [
      'PodTopologySpread',
      [
        ['fills the emptiest zone', { nodes: zones, pods: { x: { on: 'a1', labels: web } } }, spread(), 'b1'],
        [
          'refuses more than the skew',
          { nodes: { ...zones, b1: { ...zone('b'), pods: '0' } }, pods: { x: { on: 'a1', labels: web } } },
          spread(),
          "0/3 nodes are available: 1 Too many pods, 2 node(s) didn't match pod topology spread constraints.",
        ],
        [
          'allows the skew',
          { nodes: { ...zones, b1: { ...zone('b'), pods: '0' } }, pods: { x: { on: 'a1', labels: web } } },
          { ...spread({ maxSkew: 2 }), nodeSelector: { 'kubernetes.io/hostname': 'a2' } },
          'a2',
        ],
        [
          'does not count terminating pods',
          { nodes: { n: zone('a'), m: { ...zone('b'), pods: '0' } }, pods: { x: { on: 'n', labels: web, isTerminating: true } } },
          spread(),
          'n',
        ],
        [
          'leaves pods of other namespaces uncounted',
          { nodes: { n: zone('a'), m: { ...zone('b'), pods: '0' } }, pods: { x: { on: 'n', labels: web, namespace: 'other' } } },
          spread(),
          'n',
        ],
        [
          'refuses nodes without the label',
          { nodes: { n: {} } },
          spread(),
          "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label).",
        ],
        [
          'imagines an empty domain with minDomains',
          { nodes: { n: zone('a') }, pods: { x: { on: 'n', labels: web } } },
          spread({ minDomains: 2 }),
          "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.",
        ],
        ['needs no imagined domain without', { nodes: { n: zone('a') }, pods: { x: { on: 'n', labels: web } } }, spread(), 'n'],
        [
          'leaves zones out that the pod does not ask for',
          { nodes: { n: zone('a'), m: zone('b') }, pods: { x: { on: 'n', labels: web } } },
          { ...spread(), nodeSelector: { zone: 'a' } },
          'n',
        ],
        [
          'counts them with nodeAffinityPolicy Ignore',
          { nodes: { n: zone('a'), m: zone('b') }, pods: { x: { on: 'n', labels: web } } },
          { ...spread({ nodeAffinityPolicy: 'Ignore' }), nodeSelector: { zone: 'a' } },
          "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod topology spread constraints.",
        ],
        [
          'leaves tainted zones out with nodeTaintsPolicy Honor',
          { nodes: { n: zone('a'), m: { ...zone('b'), ...taints('NoSchedule') } }, pods: { x: { on: 'n', labels: web } } },
          spread({ nodeTaintsPolicy: 'Honor' }),
          'n',
        ],
        [
          'counts only pods with the same value for matchLabelKeys',
          { nodes: { n: zone('a'), m: { ...zone('b'), pods: '0' } }, pods: { x: { on: 'n', labels: { ...web, hash: '1' } } } },
          { ...spread({ matchLabelKeys: ['hash'] }), labels: { ...web, hash: '2' } },
          'n',
        ],
      ],
    ],
    [
      'InterPodAffinity',
      [
        ['chooses the domain of the matching pod', { nodes: zones, pods: { x: { on: 'b1', labels: web } } }, near(term()), 'b1'],
        [
          'refuses without a matching pod',
          { nodes: { n: zone('a') } },
          near(term()),
          "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
        ],
        ['may be the first of its kind', { nodes: { n: zone('a') } }, { ...near(term()), labels: web }, 'n'],
        [
          'is not the first where the label is missing',
          { nodes: { n: {} } },
          { ...near(term()), labels: web },
          "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
        ],
        [
          'needs one pod that meets all terms',
          { nodes: { n: zone('a') }, pods: { x: { on: 'n', labels: web }, y: { on: 'n', labels: { tier: 'db' } } } },
          near(term(), term({ labelSelector: { matchLabels: { tier: 'db' } } })),
          "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
        ],
        ['keeps away', { nodes: zones, pods: { x: { on: 'a1', labels: web } } }, away(term()), 'b1'],
        [
          'finds nowhere to keep away',
          { nodes: { n: zone('a') }, pods: { x: { on: 'n', labels: web } } },
          away(term()),
          "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.",
        ],
        [
          'is kept away by others',
          { nodes: { n: zone('a') }, pods: { x: { on: 'n', ...away(term()) } } },
          { labels: web },
          "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.",
        ],
        ['is not meant by others', { nodes: { n: zone('a') }, pods: { x: { on: 'n', ...away(term()) } } }, { labels: { app: 'db' } }, 'n'],
        [
          'matches in its own namespace',
          { nodes: { n: zone('a') }, pods: { x: { on: 'n', labels: web, namespace: 'other' } } },
          away(term()),
          'n',
        ],
        [
          'matches in the named namespaces',
          { nodes: { n: zone('a') }, pods: { x: { on: 'n', labels: web, namespace: 'other' } } },
          away(term({ namespaces: ['other'] })),
          "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.",
        ],
        [
          'matches in namespaces selected by labels',
          { nodes: zones, pods: { x: { on: 'b1', labels: web, namespace: 'other' } }, namespaces: { other: { team: 't' } } },
          near(term({ namespaceSelector: { matchLabels: { team: 't' } } })),
          'b1',
        ],
        [
          'matches in all namespaces with an empty selector',
          { nodes: zones, pods: { x: { on: 'b1', labels: web, namespace: 'other' } }, namespaces: { other: {} } },
          near(term({ namespaceSelector: {} })),
          'b1',
        ],
        ['is not stopped where the label is missing', { nodes: { n: {} }, pods: { x: { on: 'n', labels: web } } }, away(term()), 'n'],
      ],
    ],
  ])('%s', (_, rows) => {
    it.each(rows)('%s', (_name, cluster, pod, expected) => {
      expect(scheduleOf(sampleState(cluster), pod)).toBe(expected)
    })
  })

  it('counts the reasons of all nodes, each from the first plugin that refuses, sorted as strings', () => {
    const nodes = {
      a: { cpu: '1' },
      b: { cpu: '1' },
      c: { spec: { unschedulable: true } },
      d: taints('NoSchedule'),
      e: { ...taints('NoSchedule'), cpu: '1' },
    }
    expect(scheduleOf(sampleState({ nodes }), { requests: { cpu: '2' } })).toBe(
      '0/5 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu, 2 node(s) had untolerated taint(s).',
    )
  })

  it('reports a cluster without nodes', () => {
    expect(scheduleOf(sampleState({ nodes: {} }), {})).toBe('no nodes available to schedule pods')
  })

  it('handles labels named like properties of Object.prototype', () => {
    const state = sampleState({ nodes: { n: {} }, pods: { x: { on: 'n', labels: { ['__proto__']: 'x' } } } })
    expect(scheduleOf(state, { nodeSelector: { constructor: 'x' } })).toBe(nodeAffinityUnmet)
    expect(scheduleOf(state, { ...away(term({ topologyKey: 'constructor', labelSelector: {} })) })).toBe('n')
  })

  it('chooses among equal nodes by the seed alone', () => {
    const nodes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}`, {}]))
    const places = Array.from({ length: 30 }, (_, seed) => scheduleOf(sampleState({ nodes }), {}, seed))
    expect(places).toEqual(Array.from({ length: 30 }, (_, seed) => scheduleOf(sampleState({ nodes }), {}, seed)))
    expect(new Set(places).size).toBeGreaterThan(5)
  })
})
