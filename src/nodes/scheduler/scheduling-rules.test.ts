import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../base/random.ts'
import type { ClusterState } from './cluster-state.ts'
import type { PlacedPod } from './node-state.ts'
import { planPlacement } from './placement.ts'
import { planPreemption } from './preemption.ts'
import { type SampleNode, type SamplePod, sampleNeeds, sampleNode, sampleState } from './testing/sample-objects.ts'

// Checks the rules by their definitions in the API, over all pods and nodes, without the counts of the scheduler.

const apps = ['web', 'db', 'log'] as const
const nodeSample = fc.record({
  cpu: fc.constantFrom('1', '2', '4'),
  pods: fc.constantFrom('5', '110', '110'),
  labels: fc.constantFrom<Record<string, string>>({ zone: 'a' }, { zone: 'b' }, { zone: 'c' }, {}),
  tainted: fc.constantFrom(false, false, true),
})
const podSample = fc.record({
  cpu: fc.constantFrom(0, 0, 50, 100, 500),
  app: fc.constantFrom(...apps),
  priority: fc.integer({ min: 0, max: 2 }),
  tolerates: fc.boolean(),
  zone: fc.constantFrom(undefined, undefined, 'a', 'b'),
  rule: fc.constantFrom<'none' | 'near' | 'away' | 'spread'>('none', 'near', 'away', 'spread', 'spread'),
  matching: fc.constantFrom(...apps),
  key: fc.constantFrom('zone', 'kubernetes.io/hostname'),
  hostPort: fc.constantFrom(undefined, undefined, 80, 81),
})
type PodSample = typeof podSample extends fc.Arbitrary<infer T> ? T : never
type Step = { readonly pod: PodSample } | { readonly removed: number } | { readonly relabelled: number; readonly zone: string }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pod: podSample }) },
  { weight: 1, arbitrary: fc.record({ removed: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ relabelled: fc.nat(), zone: fc.constantFrom('a', 'b', 'c') }) },
)

function asNode({ tainted, ...node }: { tainted: boolean } & Omit<SampleNode, 'spec'>): SampleNode {
  return { ...node, ...(tainted && { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }) }
}

function asPod({ cpu, app, priority, tolerates, zone, rule, matching, key, hostPort }: PodSample): SamplePod {
  const terms = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: key, labelSelector: { matchLabels: { app: matching } } }],
  }
  return {
    labels: { app },
    priority,
    containers: [
      {
        name: 'c',
        resources: { requests: { cpu: `${cpu}m` } },
        ...(hostPort && { ports: [{ containerPort: 1, hostPort }] }),
      },
    ],
    ...(tolerates && { tolerations: [{ operator: 'Exists' }] }),
    ...(zone && { nodeSelector: { zone } }),
    ...(rule === 'near' && { affinity: { podAffinity: terms } }),
    ...(rule === 'away' && { affinity: { podAntiAffinity: terms } }),
    ...(rule === 'spread' && {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: key, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: matching } } },
      ],
    }),
  }
}

const placedPods = (state: ClusterState): PlacedPod[] => state.nodes.flatMap(({ pods }) => [...pods.values()])

/** The rules that the placement violates. */
function brokenRules(state: ClusterState, sample: PodSample, samples: ReadonlyMap<string, PodSample>, nodeName: string): string[] {
  const broken: string[] = []
  const node = state.node(nodeName)!
  const others = placedPods(state)
  const here = others.filter((other) => other.node === node)
  const cpuOf = ({ needs }: PlacedPod) => samples.get(needs.uid)!.cpu
  if (sample.cpu > 0 && here.reduce<number>((sum, other) => sum + cpuOf(other), sample.cpu) > node.allocatable.cpu) broken.push('cpu')
  if (here.length + 1 > node.allocatable.pods) broken.push('pods')
  if (node.node?.spec?.taints?.length && !sample.tolerates) broken.push('taint')
  if (sample.zone && node.labels.zone !== sample.zone) broken.push('selector')
  if (sample.hostPort && here.some(({ needs }) => samples.get(needs.uid)!.hostPort === sample.hostPort)) broken.push('port')
  const domain = (key: string) => others.filter((other) => node.labels[key] !== undefined && other.node.labels[key] === node.labels[key])
  const isApp = (app: string) => (other: PlacedPod) => other.needs.traits.labels.app === app
  const { rule, matching, key, app } = sample
  if (rule === 'away' && domain(key).some(isApp(matching))) broken.push('anti-affinity')
  for (const { needs, node: at } of others) {
    const other = samples.get(needs.uid)!
    if (
      other.rule === 'away' &&
      other.matching === app &&
      at.labels[other.key] !== undefined &&
      at.labels[other.key] === node.labels[other.key]
    )
      broken.push('anti-affinity of others')
  }
  if (rule === 'near') {
    const isFirstOfItsKind = app === matching && !others.some((other) => isApp(matching)(other) && other.node.labels[key] !== undefined)
    if (node.labels[key] === undefined || (!isFirstOfItsKind && !domain(key).some(isApp(matching)))) broken.push('affinity')
  }
  if (rule === 'spread') {
    const counted = state.nodes.filter(({ labels }) => labels[key] !== undefined && (!sample.zone || labels.zone === sample.zone))
    const counts = new Map(counted.map(({ labels }) => [labels[key]!, 0]))
    for (const other of others.filter(isApp(matching)))
      if (counted.includes(other.node)) counts.set(other.node.labels[key]!, counts.get(other.node.labels[key]!)! + 1)
    const skew = (counts.get(node.labels[key] ?? '') ?? 0) + (app === matching ? 1 : 0) - Math.min(...counts.values())
    if (node.labels[key] === undefined || skew > 1) broken.push('spread')
  }
  return broken
}

describe('planPlacement() and planPreemption()', () => {
  const cluster = fc.array(nodeSample, { minLength: 1, maxLength: 6, size: 'max' })

  it('never violate a rule, never miss a feasible node, and leave the state unchanged', () => {
    fc.assert(
      fc.property(cluster, fc.array(step, { minLength: 30, maxLength: 60 }), fc.nat(), (nodes, steps, seed) => {
        const random = seededRandom(seed)
        const named = nodes.map((node, i) => [`n${i}`, asNode(node)] as const)
        const state = sampleState({ nodes: Object.fromEntries(named) })
        const samples = new Map<string, PodSample>()
        steps.forEach((step, i) => {
          const placed = placedPods(state)
          if ('removed' in step) {
            if (placed.length > 0) state.remove(placed[step.removed % placed.length]!.needs.uid)
            return
          }
          if ('relabelled' in step) {
            const [name, node] = named[step.relabelled % named.length]!
            state.setNode(sampleNode(name, { ...node, labels: { zone: step.zone } }))
            return
          }
          const sample = step.pod
          const needs = sampleNeeds(`p${i}`, asPod(sample))
          const placement = planPlacement(needs, state, random)
          if ('node' in placement) {
            const broken = brokenRules(state, sample, samples, placement.node)
            if (broken.length > 0) throw new Error(`Pod "${needs.uid}" on node "${placement.node}" breaks ${broken.join()}`)
            samples.set(needs.uid, sample)
            state.place(needs, placement.node)
            return
          }
          for (const { name } of state.nodes)
            if (brokenRules(state, sample, samples, name).length === 0) throw new Error(`Node "${name}" would take pod "${needs.uid}"`)
          const before = placed.map(({ needs: { uid }, node }) => `${uid} ${node.name}`).sort()
          const plan = planPreemption({ needs, state, refusals: placement.refusals!, budgets: [], random, nowMs: 0 })
          expect(
            placedPods(state)
              .map(({ needs: { uid }, node }) => `${uid} ${node.name}`)
              .sort(),
          ).toEqual(before)
          if ('message' in plan) return
          for (const victim of plan.victims) {
            expect(victim.priority).toBeLessThan(needs.priority)
            state.remove(victim.uid)
          }
          expect(brokenRules(state, sample, samples, plan.node)).toEqual([])
        })
      }),
      { numRuns: 100 },
    )
  })

  it('decide the same with the same seed', () => {
    const run = (
      nodes: readonly (typeof nodeSample extends fc.Arbitrary<infer T> ? T : never)[],
      pods: readonly PodSample[],
      seed: number,
    ) => {
      const random = seededRandom(seed)
      const state = sampleState({ nodes: Object.fromEntries(nodes.map((node, i) => [`n${i}`, asNode(node)])) })
      return pods.map((pod, i) => {
        const needs = sampleNeeds(`p${i}`, asPod(pod))
        const placement = planPlacement(needs, state, random)
        if ('node' in placement) state.place(needs, placement.node)
        return 'node' in placement ? placement.node : placement.message
      })
    }
    fc.assert(
      fc.property(cluster, fc.array(podSample, { minLength: 10, maxLength: 30 }), fc.nat(), (nodes, pods, seed) => {
        expect(run(nodes, pods, seed)).toEqual(run(nodes, pods, seed))
      }),
      { numRuns: 50 },
    )
  })
})
