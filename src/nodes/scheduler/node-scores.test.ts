import { describe, expect, it } from 'vitest'
import { selectorRequirements } from '../../base/label-selector.ts'
import { scoreAffinity } from './affinity-score.ts'
import { ClusterState } from './cluster-state.ts'
import { balancedAllocation, leastAllocated, scoreNodeAffinity, scoreTaints } from './node-scores.ts'
import { scoreSpread } from './spread-score.ts'
import { type SampleCluster, type SamplePod, sampleNeeds, sampleNode, sampleState } from './testing/sample-objects.ts'

const web = { app: 'web' }
const selector = { matchLabels: web }
const zone = (name: string) => ({ labels: { zone: name } })
const numbers = (scores: Float64Array | undefined) => scores && [...scores]

describe('leastAllocated()', () => {
  it.each<[name: string, requests: Record<string, string>, used: Record<string, string>, score: number]>([
    ['is high for an empty node', { cpu: '1', memory: '1Gi' }, {}, 75 / 2 + 87 / 2],
    ['decreases with the usage', { cpu: '1', memory: '1Gi' }, { cpu: '2', memory: '4Gi' }, (25 + 37) / 2],
    ['is nothing for a full node', { cpu: '2', memory: '4Gi' }, { cpu: '2', memory: '4Gi' }, 0],
  ])('%s', (_, requests, used, score) => {
    const state = sampleState({ nodes: { n: {} }, ...(used.cpu && { pods: { x: { on: 'n', requests: used } } }) })
    expect(leastAllocated(sampleNeeds('p', { requests }), state.nodes[0]!)).toBe(Math.floor(score))
  })
})

describe('balancedAllocation()', () => {
  it.each<[name: string, requests: Record<string, string>, used: Record<string, string>, score: number]>([
    ['is 75 when nothing changes', { cpu: '1', memory: '2Gi' }, { cpu: '1', memory: '2Gi' }, 75],
    ['is higher when cpu and memory come closer', { cpu: '2', memory: '0' }, { cpu: '0', memory: '4Gi' }, 87],
    ['is lower when they drift apart', { cpu: '2', memory: '0' }, { cpu: '2', memory: '4Gi' }, 62],
    ['is nothing for pods that ask for nothing', {}, { cpu: '2', memory: '4Gi' }, 0],
  ])('%s', (_, requests, used, score) => {
    const state = sampleState({ nodes: { n: {} }, pods: { x: { on: 'n', requests: used } } })
    expect(balancedAllocation(sampleNeeds('p', { requests }), state.nodes[0]!)).toBe(score)
  })
})

describe('scoreTaints()', () => {
  const soft = (...keys: string[]) => ({ spec: { taints: keys.map((key) => ({ key, effect: 'PreferNoSchedule' })) } })
  it.each<[name: string, pod: SamplePod, scores: number[] | undefined]>([
    ['prefers fewer taints', {}, [100, 50, 0]],
    ['leaves tolerated taints out', { tolerations: [{ key: 'b', operator: 'Exists' }] }, [100, 0, 0]],
    ['ignores tolerations of other effects', { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] }, [100, 50, 0]],
  ])('%s', (_, pod, scores) => {
    const state = sampleState({ nodes: { n: {}, m: soft('a'), o: soft('a', 'b') } })
    expect(numbers(scoreTaints(sampleNeeds('p', pod), state.nodes))).toEqual(scores)
  })
})

describe('scoreNodeAffinity()', () => {
  it('adds the weights of the terms that are met', () => {
    const prefers = (weight: number, value: string) => ({
      weight,
      preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] },
    })
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [prefers(10, 'a'), prefers(40, 'b')] } }
    const state = sampleState({ nodes: { n: {}, m: zone('a'), o: zone('b') } })
    expect(numbers(scoreNodeAffinity(sampleNeeds('p', { affinity }), state.nodes))).toEqual([0, 25, 100])
  })
})

describe('scoreSpread()', () => {
  const spread = (more: object = {}): SamplePod => ({
    labels: web,
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector, ...more }],
  })
  const cluster: SampleCluster = {
    nodes: { a: zone('a'), b: zone('b'), c: zone('c') },
    pods: { x: { on: 'a', labels: web }, y: { on: 'a', labels: web }, z: { on: 'b', labels: web } },
  }

  it('prefers the emptier domain', () => {
    const state = sampleState(cluster)
    const [a, b, c] = numbers(scoreSpread(sampleNeeds('p', spread()), state.nodes, state))!
    expect([a! < b!, b! < c!, c]).toEqual([true, true, 100])
  })

  it('gives nodes without the label no score', () => {
    const state = sampleState({ ...cluster, nodes: { ...cluster.nodes, d: {} } })
    expect(numbers(scoreSpread(sampleNeeds('p', spread()), state.nodes, state))![3]).toBe(0)
  })

  it('spreads the pods of a controller over hosts by default', () => {
    const state = new ClusterState({ defaultSelector: () => selectorRequirements(selector) })
    for (const name of ['a', 'b']) state.setNode(sampleNode(name))
    state.place(sampleNeeds('x', { labels: web }), 'a')
    const [a, b] = numbers(scoreSpread(sampleNeeds('p', { labels: web }), state.nodes, state))!
    expect([a! < b!, b]).toEqual([true, 100])
    expect(scoreSpread(sampleNeeds('p', spread({ whenUnsatisfiable: 'DoNotSchedule' })), state.nodes, state)).toBeUndefined()
  })
})

describe('scoreAffinity()', () => {
  const preferred = (weight: number) => ({
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: { topologyKey: 'zone', labelSelector: selector } }],
  })
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: selector }] }
  it.each<[name: string, placed: SamplePod, pod: SamplePod, scores: number[] | undefined]>([
    ['draws to the pods that are liked', { labels: web }, { affinity: { podAffinity: preferred(5) } }, [100, 0]],
    ['drives from the pods that are disliked', { labels: web }, { affinity: { podAntiAffinity: preferred(5) } }, [0, 100]],
    ['draws to the pods that like it', { affinity: { podAffinity: preferred(5) } }, { labels: web }, [100, 0]],
    ['drives from the pods that dislike it', { affinity: { podAntiAffinity: preferred(5) } }, { labels: web }, [0, 100]],
    ['draws to the pods that need such as it', { affinity: { podAffinity: required } }, { labels: web }, [100, 0]],
    ['gives no score when no pod matches', { labels: { app: 'db' } }, { affinity: { podAffinity: preferred(5) } }, undefined],
  ])('%s', (_, placed, pod, scores) => {
    const state = sampleState({ nodes: { a: zone('a'), b: zone('b') }, pods: { x: { on: 'a', ...placed } } })
    expect(numbers(scoreAffinity(sampleNeeds('p', pod), state.nodes, state))).toEqual(scores)
  })
})
