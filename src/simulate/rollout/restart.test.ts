import { expect, it } from 'vitest'
import { makePlan, type PlanRequest } from './make-plan.ts'
import { simulate } from './simulate.ts'

const workload = (kind: string, name: string, more = '') => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  ${more}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      initContainers: [{ name: check, image: a, command: [sh, -c, 'until wget -q db; do sleep 1; done'] }]
      # The longest name that Kubernetes accepts.
      containers: [{ name: c${'o'.repeat(62)}, image: 'a:1' }]
`
const request = (to: string): PlanRequest => ({
  given: [
    {
      name: 'all.yaml',
      text: [workload('Deployment', 'web'), workload('StatefulSet', 'db', 'serviceName: db'), workload('DaemonSet', 'log')].join('---\n'),
    },
  ],
  files: [],
  to: [to],
  scale: [],
  policies: 'None',
  faults: [],
  expect: [],
  command: '',
})

it('restarts every workload, and assumes that init containers find the servers that they wait for', async () => {
  const plan = await makePlan(request('restart'))
  expect(plan.steps.map(({ text }) => text)).toEqual(['restart Deployment/web', 'restart StatefulSet/db', 'restart DaemonSet/log'])
  expect(plan.assumptions).toContain('init containers check find the servers that they wait for')
  const { outcomes } = await simulate(plan)
  expect(outcomes[0]!.failures).toEqual([])
  expect(outcomes[0]!.measures.completeAfterMs).toBeGreaterThan(0)
})

it('restarts one workload', async () => {
  const { steps } = await makePlan(request('restart=statefulset/db'))
  expect(steps.map(({ text }) => text)).toEqual(['restart StatefulSet/db'])
})
