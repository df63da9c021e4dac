import { describe, expect, it } from 'vitest'
import { InputError } from '../rollout/input-error.ts'
import { answerDashboard } from './dashboard-paths.ts'

const origin = { version: '0', createdAt: '2026-01-01T00:00:00Z' }
const bodies = [undefined, null, 5, 'x', [], [null], {}, { series: 5, manifest: 5, change: 5, after: 5, observed: 5 }]
const odd = {
  series: {},
  manifest: { spec: 5 },
  change: { replicas: 'x', image: {} },
  before: 5,
  after: { kind: 'Deployment' },
  observed: {},
  kind: 5,
  nowMs: 0,
  object: {},
  surroundings: { pods: 5 },
}

describe.each(['report', 'simulate', 'compare', 'explain'])('the path %s', (name) => {
  const path = `/rollcall/v1/${name}`

  it.each([...bodies, odd])('refuses a body of another shape: %j', async (body) => {
    await expect(answerDashboard({ method: 'POST', path, body }, origin)).rejects.toThrow(InputError)
  })

  it('takes only a POST', async () => {
    expect(await answerDashboard({ method: 'GET', path, body: undefined }, origin)).toBeUndefined()
  })
})

it('explains a workload from what the page has read', async () => {
  const object = {
    metadata: { name: 'web', namespace: 'n', uid: 'w', generation: 1 },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } } } },
    status: { observedGeneration: 1 },
  }
  const body = { kind: 'ReplicaSet', object, nowMs: 0, surroundings: { pods: [] } }
  expect(await answerDashboard({ method: 'POST', path: '/rollcall/v1/explain', body }, origin)).toMatchObject({
    cause: 'it is about to create 2 pods',
    account: 'size 2; 0 pods: 0 ready, 0 terminating',
    next: ['create 2 pods'],
  })
})
