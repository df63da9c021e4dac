import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makePlan, type PlanRequest } from './make-plan.ts'
import { neededControllers } from './needed-controllers.ts'
import type { Action, Plan } from './plan.ts'
import { type RunOptions, runOnce } from './run-once.ts'

const place = { source: 'a.yaml' }
const deployment = { kind: 'Deployment', spec: { template: { spec: { containers: [] } } } }
const withVolumes = (volumes: unknown) => ({ kind: 'Deployment', spec: { template: { spec: { containers: [], volumes } } } })
const withVolume = (volume: object) => withVolumes([volume])
const planOf = (objects: readonly object[], ...actions: Action[]) =>
  ({
    objects: objects.map((object) => ({ object, place })),
    steps: actions.map((action) => ({ atMs: 0, action, text: '' })),
  }) as unknown as Plan
const target = { kind: 'Deployment', namespace: 'default', name: 'web' }

describe('neededControllers()', () => {
  const rows: [name: string, plan: Plan, needed: readonly string[], notNeeded: readonly string[]][] = [
    ['a Deployment', planOf([deployment]), ['deployment-controller', 'replicaset-controller'], ['job-controller', 'garbage-collector']],
    ['a budget', planOf([deployment, { kind: 'PodDisruptionBudget' }]), ['controllermanager'], ['job-controller']],
    ['no budget', planOf([deployment]), [], ['controllermanager']],
    ['a Job', planOf([deployment, { kind: 'Job' }]), ['job-controller', 'garbage-collector'], []],
    ['a quota', planOf([deployment, { kind: 'ResourceQuota' }]), ['resourcequota-controller', 'root-ca-cert-publisher'], []],
    ['a claim', planOf([withVolume({ persistentVolumeClaim: {} })]), ['persistentvolume-controller'], []],
    ['a volume of the pod', planOf([withVolume({ ephemeral: {} })]), ['persistentvolume-controller'], []],
    ['volumes that are none', planOf([withVolumes(null)]), [], ['persistentvolume-controller']],
    ['a volume that is none', planOf([withVolumes([null])]), ['persistentvolume-controller'], []],
    ['volumes that are no list', planOf([withVolumes('x')]), ['persistentvolume-controller'], []],
    ['an owner', planOf([deployment, { kind: 'ReplicaSet', metadata: { ownerReferences: [{}] } }]), ['garbage-collector'], []],
    ['an empty directory', planOf([withVolume({ emptyDir: {} })]), [], ['persistentvolume-controller']],
    [
      'a Job that comes later',
      planOf([deployment], { type: 'apply', objects: [{ object: { kind: 'Job' } as never, place }] }),
      ['job-controller'],
      [],
    ],
    ['nodes that come and go', { ...planOf([deployment]), autoscale: { min: 1, max: 2 } }, ['garbage-collector'], []],
    ['a deletion', planOf([deployment], { type: 'delete', target }), ['garbage-collector'], []],
    ['a look at an object', planOf([deployment], { type: 'check', target, expected: [] }), ['job-controller'], []],
  ]
  it.each(rows)('of a plan with %s', (_, plan, needed, notNeeded) => {
    const isNeeded = neededControllers(plan)
    expect(needed.filter((name) => !isNeeded(name))).toEqual([])
    expect(notNeeded.filter(isNeeded)).toEqual([])
  })
})

const folder = fileURLToPath(new URL('../../../examples/simulate', import.meta.url))
const request: PlanRequest = { files: [], to: [], scale: [], faults: [], expect: [], command: '' }
const web = { ...request, files: [join(folder, 'web.yaml')], to: ['web=web:2'] }
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
const plans: { readonly name: string; readonly request: PlanRequest }[] = [
  { name: 'a rollout', request: web },
  { name: 'a scaling meanwhile', request: { ...web, scale: ['4@3s', '12@20s'] } },
  { name: 'crashes, evictions and a drain', request: { ...web, faults: ['web:crash@2s', 'web:evict=3@5s', 'node-1:drain@9s'] } },
  { name: 'a node that falls silent', request: { ...web, faults: ['node-1:down@5s'] } },
  { name: 'nodes that come and go', request: { ...web, nodes: '2x4cpu16Gi', autoscale: '2..6' } },
  ...examples.map((name) => ({ name, request: { ...request, files: [join(folder, name)] } })),
]

/** What became of each object that somebody counts. */
const counted = new Set(['pods', 'replicasets', 'deployments', 'nodes', 'poddisruptionbudgets'])

async function play(given: PlanRequest, runsAll: boolean) {
  const plan = await makePlan(given)
  const lives = new Map<string, unknown[]>()
  const onWrite: RunOptions['onWrite'] = ({ verb, kind, key, object }, nowMs) => {
    if (!counted.has(kind.plural)) return
    const { resourceVersion: _, uid: __, ownerReferences: ___, ...metadata } = object.metadata
    const name = `${kind.plural} ${key}`
    lives.set(name, [...(lives.get(name) ?? []), { verb, nowMs, object: { ...object, metadata } }])
  }
  const { trace } = await runOnce({ plan, policy: plan.policies.at(-1)!, seed: 3, runsAll, onWrite })
  return { trace, lives }
}

describe('runOnce()', () => {
  it.each(plans)('plays the same without the controllers that are not needed: $name', { timeout: 60_000 }, async ({ request }) => {
    const all = await play(request, true)
    const few = await play(request, false)
    expect(few.trace).toEqual(all.trace)
    expect(few.lives).toEqual(all.lives)
  })
})
