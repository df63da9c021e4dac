import { describe, expect, it } from 'vitest'
import { readNodeFile } from './node-file.ts'

const read = (text: string) => readNodeFile(text, 'nodes.yaml')

describe('readNodeFile()', () => {
  it('reads groups', () => {
    const { nodes, autoscaled } = read(`
- name: worker
  count: 3
  cpu: 8
  memory: 32Gi
  pods: 50
  ephemeralStorage: 1Ti
  resources: { nvidia.com/gpu: 4 }
  region: eu
  zones: [eu-1, eu-2]
  labels: { tier: web, spot: true }
  taints: ['dedicated=web:NoSchedule', { key: gpu, effect: NoExecute }]
- name: burst
  autoscale: { min: 1, max: 4 }
`)
    expect(nodes.map(({ name, zone }) => [name, zone])).toEqual([
      ['worker-1', 'eu-1'],
      ['worker-2', 'eu-2'],
      ['worker-3', 'eu-1'],
      ['burst-1', 'zone-a'],
    ])
    expect(nodes[0]).toMatchObject({
      cpu: '8',
      memory: '32Gi',
      pods: 50,
      ephemeralStorage: '1Ti',
      resources: { 'nvidia.com/gpu': '4' },
      region: 'eu',
      labels: { tier: 'web', spot: 'true' },
      taints: [
        { key: 'dedicated', value: 'web', effect: 'NoSchedule' },
        { key: 'gpu', effect: 'NoExecute' },
      ],
    })
    expect(autoscaled).toEqual([{ node: { name: 'burst', count: 1 }, min: 1, max: 4 }])
  })

  it('reads Node objects printed by kubectl', () => {
    const { nodes } = read(`
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: ip-10-0-0-1.internal
    uid: 1234
    labels: { topology.kubernetes.io/zone: eu-1 }
    annotations: { kubectl.kubernetes.io/last-applied-configuration: '{}', own: x }
  spec:
    unschedulable: true
    taints:
    - { key: node.kubernetes.io/unschedulable, effect: NoSchedule }
    - { key: gpu, value: "yes", effect: NoSchedule }
  status:
    capacity: { cpu: "16", memory: 64Gi, pods: "58" }
    allocatable: { cpu: 15890m, memory: 60Gi, pods: "58" }
    nodeInfo: { kubeletVersion: v1.33.1-eks }
`)
    expect(nodes).toEqual([
      {
        name: 'ip-10-0-0-1.internal',
        labels: { 'topology.kubernetes.io/zone': 'eu-1' },
        annotations: { own: 'x' },
        taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
        pods: 58,
        unschedulable: true,
        report: {
          capacity: { cpu: '16', memory: '64Gi', pods: '58' },
          allocatable: { cpu: '15890m', memory: '60Gi', pods: '58' },
          nodeInfo: { kubeletVersion: 'v1.33.1-eks' },
        },
      },
    ])
  })

  it.each<[name: string, text: string, message: string]>([
    ['no YAML', 'a: [', 'nodes.yaml:1: invalid YAML: '],
    ['an unknown field', '- name: a\n  cpus: 4', 'nodes.yaml:2: unknown field "cpus"; known fields are name, count, cpu'],
    ['a bad quantity', 'nodes:\n- cpu: 4\n  memory: lots', 'nodes.yaml:3: memory "lots" is not a quantity; write it like 4, 500m or 16Gi'],
    ['a bad count', '- count: -1', 'nodes.yaml:1: count must be a whole number from 0 to 5000'],
    ['a bad name', '- cpu: 1\n- name: Web_1', 'nodes.yaml:2: name "Web_1" must be lower case letters, digits, "-" and "."'],
    ['a Node with bad taints', 'kind: Node\nmetadata: { name: a }\nspec: { taints: gpu }', 'nodes.yaml:3: taints must be a list'],
    ['a bad taint', '- taints:\n  - gpu:Sometimes', 'nodes.yaml:2: a taint must be like key=value:NoSchedule'],
    ['a range upside down', '- autoscale: { min: 5, max: 2 }', 'nodes.yaml:1: autoscale needs a max'],
    ['another kind', 'kind: Pod\nmetadata: { name: x }', 'nodes.yaml:1: kind "Pod" is not Node'],
    ['a name twice', 'kind: Node\nmetadata: { name: w-1 }\n---\n- name: w\n', 'nodes.yaml:1: node "w-1" is defined twice'],
    ['nothing', '# nothing\n', 'nodes.yaml: it defines no nodes'],
    ['too many', '- count: 3000\n- { name: b, count: 3000 }', 'nodes.yaml: it defines 6000 nodes, at most 5000 are supported'],
  ])('refuses %s', (_, text, message) => expect(() => read(text)).toThrow(message))
})
