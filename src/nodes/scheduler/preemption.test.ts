import { describe, expect, it } from 'vitest'
import type { PodDisruptionBudget, Stored } from '../../api/types.ts'
import { seededRandom } from '../../base/random.ts'
import { planPlacement } from './placement.ts'
import { planPreemption } from './preemption.ts'
import { type SampleCluster, type SamplePod, sampleNeeds, sampleState } from './testing/sample-objects.ts'

const cpu = (amount: string, more: SamplePod = {}): SamplePod => ({ requests: { cpu: amount }, ...more })

function preempt(cluster: SampleCluster, pod: SamplePod, budgets: readonly Stored<PodDisruptionBudget>[] = []) {
  const state = sampleState(cluster)
  const needs = sampleNeeds('new', pod)
  const before = state.nodes.map(({ cpu: used, pods }) => [used, pods.size])
  const placement = planPlacement(needs, state, seededRandom(1))
  if ('node' in placement) return `fits on ${placement.node}`
  const plan = planPreemption({
    needs,
    state,
    refusals: placement.refusals ?? new Map(),
    budgets,
    random: seededRandom(1),
    nowMs: Date.UTC(2026, 10, 1, 12),
  })
  expect(state.nodes.map(({ cpu: used, pods }) => [used, pods.size])).toEqual(before)
  return 'message' in plan ? plan.message : `${plan.node}: ${plan.victims.map(({ uid }) => uid).join(' ')}`
}

const budget = (disruptionsAllowed: number): Stored<PodDisruptionBudget> => ({
  metadata: { name: 'b', namespace: 'default', uid: 'b', resourceVersion: '1' },
  spec: { selector: { matchLabels: { app: 'safe' } } },
  status: { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
})
const safe = { labels: { app: 'safe' } }

describe('planPreemption()', () => {
  it.each<[name: string, cluster: SampleCluster, pod: SamplePod, expected: string]>([
    [
      'selects the fewest victims',
      { nodes: { n: {} }, pods: { x: { on: 'n', ...cpu('1') }, y: { on: 'n', ...cpu('3') } } },
      cpu('2', { priority: 1 }),
      'n: y',
    ],
    [
      'keeps the most important',
      { nodes: { n: {} }, pods: { x: { on: 'n', ...cpu('2', { priority: 5 }) }, y: { on: 'n', ...cpu('2') } } },
      cpu('2', { priority: 9 }),
      'n: y',
    ],
    [
      'keeps the one that has run longer',
      {
        nodes: { n: {} },
        pods: {
          x: { on: 'n', ...cpu('2', { startTime: '2026-11-01T10:00:00Z' }) },
          y: { on: 'n', ...cpu('2', { startTime: '2026-11-01T09:00:00Z' }) },
        },
      },
      cpu('2', { priority: 9 }),
      'n: x',
    ],
    [
      'chooses the node with the victim of the lowest priority',
      { nodes: { n: {}, m: {} }, pods: { x: { on: 'n', ...cpu('4', { priority: 5 }) }, y: { on: 'm', ...cpu('4', { priority: 3 }) } } },
      cpu('2', { priority: 9 }),
      'm: y',
    ],
    [
      'chooses the node with fewer victims',
      { nodes: { n: {}, m: {} }, pods: { x: { on: 'n', ...cpu('2') }, y: { on: 'n', ...cpu('2') }, z: { on: 'm', ...cpu('4') } } },
      cpu('4', { priority: 9 }),
      'm: z',
    ],
    [
      'selects no victim of equal priority',
      { nodes: { n: {} }, pods: { x: { on: 'n', ...cpu('4') } } },
      cpu('1'),
      'preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    ],
    [
      'reports where it does not help',
      { nodes: { n: {}, m: { cpu: '1' } }, pods: { x: { on: 'n', ...cpu('4') } } },
      cpu('2'),
      'preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
    ],
    [
      'reports what is still insufficient',
      { nodes: { n: {} }, pods: { x: { on: 'n', ...cpu('3', { priority: 9 }) }, y: { on: 'n', ...cpu('1') } } },
      cpu('2', { priority: 5 }),
      'preemption: 0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'selects no victim with preemptionPolicy Never',
      { nodes: { n: {} }, pods: { x: { on: 'n', ...cpu('4') } } },
      cpu('1', { priority: 1, preemptionPolicy: 'Never' }),
      'preemption: not eligible due to preemptionPolicy=Never.',
    ],
    [
      'frees a host port',
      {
        nodes: { n: {} },
        pods: { x: { on: 'n', containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 80 }] }] }, y: { on: 'n' } },
      },
      { priority: 1, containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 80 }] }] },
      'n: x',
    ],
  ])('%s', (_, cluster, pod, expected) => {
    expect(preempt(cluster, pod)).toBe(expected)
  })

  it.each<[name: string, allowed: number, expected: string]>([
    ['spares a pod whose budget is used up', 0, 'm: y'],
    ['selects it when the budget allows', 1, 'n: x'],
  ])('%s', (_, allowed, expected) => {
    const cluster: SampleCluster = {
      nodes: { n: {}, m: {} },
      pods: { x: { on: 'n', ...cpu('4', safe) }, y: { on: 'm', ...cpu('4', { priority: 2 }) } },
    }
    expect(preempt(cluster, cpu('1', { priority: 9 }), [budget(allowed)])).toBe(expected)
  })

  it('violates a budget if there is no other way', () => {
    expect(preempt({ nodes: { n: {} }, pods: { x: { on: 'n', ...cpu('4', safe) } } }, cpu('1', { priority: 9 }), [budget(0)])).toBe('n: x')
  })

  it('waits while its victims are terminating', () => {
    const state = sampleState({ nodes: { n: {} } })
    const victim = sampleNeeds('x', cpu('4', { isTerminating: true }))
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }]
    state.place({ ...victim, pod: { ...victim.pod, status: { conditions } } }, 'n')
    const needs = sampleNeeds('new', cpu('1', { priority: 9 }))
    state.nominate(needs, 'n')
    const placement = planPlacement(needs, state, seededRandom(1))
    const refusals = 'message' in placement ? placement.refusals! : new Map()
    expect(planPreemption({ needs, state, refusals, budgets: [], random: seededRandom(1), nowMs: 0 })).toMatchObject({
      message: 'preemption: not eligible due to a terminating pod on the nominated node.',
    })
  })

  it('does not use resources that are reserved for a nominated pod of higher priority', () => {
    const state = sampleState({ nodes: { n: {} } })
    state.nominate(sampleNeeds('first', cpu('4', { priority: 9 })), 'n')
    expect(planPlacement(sampleNeeds('new', cpu('1', { priority: 5 })), state, seededRandom(1))).toMatchObject({
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    })
    expect(planPlacement(sampleNeeds('new', cpu('1', { priority: 10 })), state, seededRandom(1))).toEqual({ node: 'n' })
  })
})
