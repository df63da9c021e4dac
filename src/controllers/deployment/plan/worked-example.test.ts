// The examples of docs/explanation/capacity.md: the numbers of the page are those of the planner.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sizes, sync } from '../testing/planned.ts'
import { sampleDeployment, sampleSet, sampleSnapshot, scaledFor, startMs } from '../testing/sample-objects.ts'
import { accountOf } from './capacity.ts'
import { planDeployment } from './deployment.ts'
import { sizeOf } from './replica-sets.ts'

const page = readFileSync(new URL('../../../../docs/explanation/capacity.md', import.meta.url), 'utf8')
/** Of each row: size, active, holding, pods, cap, room. */
const rows = page
  .slice(page.indexOf('## An example'))
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line))
  .map((line) => line.split('|').slice(2, 8).map(Number))

it('plans a scale of 10 replicas with maxSurge 3 and 4 terminating pods to 14', () => {
  expect(rows).toHaveLength(5)
  let annotations = scaledFor(10, 13) as Readonly<Record<string, string>>
  for (const [place, row] of rows.entries()) {
    const [size = 0, active = 0, holding = 0, ...counts] = row
    const deployment = sampleDeployment({ replicas: place === 0 ? 10 : 14, maxSurge: 3, policy: 'TerminationComplete' })
    const set = sampleSet({ size, annotations, status: { replicas: active, terminatingReplicas: holding } })
    const snapshot = sampleSnapshot(deployment, [set])
    const { pods, cap, room } = accountOf(snapshot, [set])
    expect([pods, cap, room]).toEqual(counts)
    const { actions } = planDeployment(snapshot, startMs)
    const next = actions.flatMap((one) => (one.action === 'update-set' ? [one.replicaSet] : []))[0] ?? set
    expect(sizeOf(next)).toBe(rows[place + 1]?.[0] ?? size)
    annotations = next.metadata.annotations ?? {}
  }
})

it('shares a scale between the ReplicaSets of a rollout', () => {
  const annotations = scaledFor(10, 13)
  const plan = sync({ replicas: 15, maxSurge: 3, image: 'a:2', policy: 'TerminationComplete' }, [
    { size: 8, annotations },
    { size: 2, image: 'a:2', age: 2, annotations },
  ])
  expect(sizes(plan)).toEqual({ 'web-1': 15, 'web-2': 3 })
})
