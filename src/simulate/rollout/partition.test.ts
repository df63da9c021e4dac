// A StatefulSet with a partition: only the pods above it are updated, and the rollout ends with them.
import { expect, it } from 'vitest'
import { makePlan } from './make-plan.ts'
import { simulate } from './simulate.ts'

const manifest = (partition: number, start = 0) => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 4
  serviceName: db
  ordinals: { start: ${start} }
  updateStrategy: { type: RollingUpdate, rollingUpdate: { partition: ${partition} } }
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: example/db:1 }] }
`

async function measure(text: string) {
  const given = [{ name: 'db.yaml', text }]
  const times = { startup: '5s', stop: '3s' }
  const plan = await makePlan({ given, files: [], to: ['image=example/db:2'], scale: [], faults: [], expect: [], command: '', ...times })
  const { outcomes } = await simulate(plan, { workers: 0 })
  const { measures, failures } = outcomes[0]!
  expect(failures).toEqual([])
  return measures
}

it.each([
  ['no partition', manifest(0), 4],
  ['a partition', manifest(2), 2],
  ['a partition and ordinals from 10 on', manifest(3, 10), 1],
])('updates one pod after the other with %s', async (_, text, updated) => {
  const { completeAfterMs, oldGoneAfterMs } = await measure(text)
  // Each pod terminates in 3 s, and its replacement is ready after 5 s.
  expect(completeAfterMs).toBeCloseTo(updated * 8000, -3)
  expect(oldGoneAfterMs).toBeCloseTo(updated * 8000 - 5000, -3)
})

it('has nothing to update where the partition covers all pods', async () => {
  const { completeAfterMs, oldGoneAfterMs } = await measure(manifest(4))
  expect(completeAfterMs).toBeLessThan(1000)
  expect(oldGoneAfterMs).toBeUndefined()
})
