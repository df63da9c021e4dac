import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../api/types.ts'
import { mayShareBeginning } from './beginning.ts'
import { measureTrace } from './measure.ts'
import type { Plan } from './plan.ts'
import { type Policy, policies } from './result.ts'
import { type Run, runOnce } from './run-once.ts'

const labels = { app: 'web' }
const deployment = (container: object = {}, annotations: Record<string, string> = {}, more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 40,
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations }, spec: { containers: [{ name: 'web', image: 'web:1', ...container }], ...more } },
  },
})
const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
const planOf = (objects: readonly object[], more: Partial<Plan> = {}): Plan => ({
  title: '',
  command: '',
  sources: [],
  ignored: [],
  objects: objects.map((object) => ({ object: object as KubernetesObject, place: { source: 'web.yaml' } })),
  nodes: [{ count: 2 }],
  timing: { startup: '20s', stop: '12s' },
  policies,
  seed: 1,
  runs: 1,
  steps: [
    { atMs: 0, text: '', action: { type: 'image', target, image: 'web:2' } },
    { atMs: 25_000, text: '', action: { type: 'scale', target, replicas: 30 } },
  ],
  withinMs: 3_600_000,
  expectations: [],
  assumptions: [],
  ...more,
})

const down: Plan['steps'][number] = { atMs: 0, text: '', action: { type: 'node-down', node: 'node-1' } }
const checkOf = (path: string): Plan['steps'][number] => ({
  atMs: 0,
  text: '',
  action: { type: 'check', target, expected: [{ path, value: 1 }] },
})
const cases = [
  { name: 'plain pods', plan: planOf([deployment()]), isShared: true },
  { name: 'pods that take their time', plan: planOf([deployment({}, { 'rollcall.dev/stop-delay.web': '9s' })]), isShared: true },
  { name: 'beside a ConfigMap', plan: planOf([deployment(), { kind: 'ConfigMap' }]), isShared: true },
  { name: 'a Deployment without a name', plan: planOf([{ ...deployment(), metadata: { generateName: 'web-' } }]), isShared: false },
  { name: 'a check of a count', plan: planOf([deployment()], { steps: [checkOf('status.replicas')] }), isShared: true },
  { name: 'a check of the generation', plan: planOf([deployment()], { steps: [checkOf('status.observedGeneration')] }), isShared: false },
  { name: 'no change', plan: planOf([deployment()], { steps: [] }), isShared: false },
  { name: 'nodes that come and go', plan: planOf([deployment()], { autoscale: { min: 1, max: 2 } }), isShared: false },
  { name: 'a node that falls silent', plan: planOf([deployment()], { steps: [down] }), isShared: false },
  { name: 'a Job', plan: planOf([deployment(), { kind: 'Job' }]), isShared: false },
  { name: 'pods that end', plan: planOf([deployment({}, { 'rollcall.dev/run-for': '9s' })]), isShared: false },
  { name: 'a script', plan: planOf([deployment({ command: ['sh', '-c', 'sleep 9'] })]), isShared: false },
  { name: 'a probe that is a command', plan: planOf([deployment({ readinessProbe: { exec: { command: ['true'] } } })]), isShared: false },
  { name: 'a hook that is a command', plan: planOf([deployment({ lifecycle: { preStop: { exec: {} } } })]), isShared: false },
  { name: 'init containers', plan: planOf([deployment({}, {}, { initContainers: [{ name: 'first' }] })]), isShared: false },
]

describe('mayShareBeginning()', () => {
  it.each(cases)('$name: $isShared', ({ plan, isShared }) => {
    expect(mayShareBeginning(plan)).toBe(isShared)
  })
})

/** A restarted recorder does not combine with earlier events. Pods have other names, and the rollout starts a second later. */
function measured({ trace }: Run) {
  const { marks, ...rest } = measureTrace(trace)
  const plain = (text: string) => text.replace('(combined from similar events): ', '').replace(/(terminating pods?)(?: since |: ).*$/, '$1')
  return { ...rest, marks: marks.map((mark) => ({ ...mark, text: plain(mark.text) })) }
}

describe('runOnce()', () => {
  it.each(policies)('comes to the same from a beginning that is shared and from its own: %s', async (policy: Policy) => {
    const shared = planOf([deployment()])
    // It takes no time, and is not among the settings that a beginning may have.
    const own = planOf([deployment({}, { 'rollcall.dev/pull-delay': '0s' })])
    expect([mayShareBeginning(shared), mayShareBeginning(own)]).toEqual([true, false])
    const one = await runOnce({ plan: shared, policy, seed: 1 })
    const other = await runOnce({ plan: own, policy, seed: 1 })
    expect(measured(one)).toEqual(measured(other))
  })

  it('gives the same trace with the same seed, also after other runs from that beginning', async () => {
    const timing = { startup: '20s±5s', stop: '12s±3s' }
    const plan = planOf([deployment()], { timing })
    const first = await runOnce({ plan, policy: 'TerminationComplete', seed: 3 })
    const other = await runOnce({ plan, policy: 'None', seed: 4 })
    const again = await runOnce({ plan, policy: 'TerminationComplete', seed: 3 })
    const anew = await runOnce({ plan: planOf([deployment()], { timing }), policy: 'TerminationComplete', seed: 3 })
    expect(again.trace).toEqual(first.trace)
    expect(anew.trace).toEqual(first.trace)
    expect(other.trace).not.toEqual(first.trace)
  })
})
