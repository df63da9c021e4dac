import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatLength } from './lengths.ts'
import { makePlan, type PlanRequest } from './make-plan.ts'
import { renderMarkdown } from './output/markdown.ts'
import { renderSummary } from './output/summary.ts'
import { simulate } from './simulate.ts'

const deployment = (name: string, replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: ${name}, image: 'example/${name}:1' }] }
`
const request = (more: Partial<PlanRequest>): PlanRequest => ({
  given: [{ name: 'all.yaml', text: [deployment('web', 4), deployment('api', 2), deployment('idle', 1)].join('---\n') }],
  files: [],
  to: ['web=example/web:2', 'api=example/api:2'],
  scale: [],
  policies: 'None,TerminationComplete',
  startup: '10s',
  stop: '20s',
  faults: [],
  expect: [],
  command: '',
  ...more,
})
const run = async (more: Partial<PlanRequest> = {}) => simulate(await makePlan(request(more)))

describe('several workloads', () => {
  it('are measured each, and together', async () => {
    const { outcomes } = await run()
    const [none] = outcomes
    expect(none!.workloads!.map(({ name, measures }) => [name, measures.cap, measures.peakPods])).toEqual([
      ['api', 3, 4],
      ['idle', 2, 1],
      ['web', 5, 8],
    ])
    expect(none!.measures).toMatchObject({ cap: 10, peakPods: 13 })
    const alone = await run({
      given: [{ name: 'web.yaml', text: deployment('web', 4) }],
      to: ['web=example/web:2'],
    })
    const { podSeconds: _, ...apart } = none!.workloads![2]!.measures
    expect(alone.outcomes[0]!.measures).toMatchObject({ ...apart, peakNodes: expect.any(Number), nodeMinutes: expect.any(Number) })
    expect(alone.outcomes[0]!.workloads).toBeUndefined()
  })

  it('have a line each in Markdown', async () => {
    const markdown = renderMarkdown(await run())
    expect(markdown).toContain(`<summary>Each workload, furthest over its cap first</summary>

\`\`\`text
                             peak pods            until complete
                        cap  no policy  Complete       no policy  Complete
Deployment default/web    5          8         5             20s    1m 00s
Deployment default/api    3          4         3             20s    1m 00s
\`\`\``)
  })

  it('may have one name in several namespaces, and are then named with theirs', async () => {
    const inNamespace = (namespace: string) => deployment('web', 4).replace('{ name: web }', `{ name: web, namespace: ${namespace} }`)
    const given = [{ name: 'all.yaml', text: [inNamespace('shop'), inNamespace('test')].join('---\n') }]
    const result = await run({
      given,
      to: ['deployment/test/web:image=example/web:2'],
      load: ['deployment/shop/web=60%'],
      expect: ['deployment/shop/web: peakPods <= 4', 'deployment/test/web: peakPods <= 4'],
      policies: 'None',
    })
    expect(result.change).toEqual(['Deployment/test/web: web=example/web:2'])
    expect(result.outcomes[0]!.failures).toEqual(['deployment/test/web: peakPods <= 4: it is 8'])
    const summary = renderSummary(result, { width: 80, hasColour: false, isUtf8: true })
    expect(summary).toMatch(/^over their caps +3$/m)
    await expect(run({ given, to: ['restart'], load: ['60%'] })).rejects.toThrow(
      'several workloads to scale: deployment/shop/web, deployment/test/web. Name one, such as deployment/shop/web=60%',
    )
  })

  it('are measured for the same time under every policy, each as well as all together', async () => {
    const { outcomes } = await run()
    for (const { measures, workloads } of outcomes)
      expect(workloads!.reduce((sum, one) => sum + one.measures.podSeconds, 0)).toBeCloseTo(measures.podSeconds)
    const idle = outcomes.map(({ workloads }) => workloads!.find(({ name }) => name === 'idle')!.measures.podSeconds)
    expect(idle[0]).toBe(idle[1])
  })

  it('have a table each, except those that do not change', async () => {
    const text = renderSummary(await run(), { width: 80, hasColour: false, isUtf8: true })
    expect(text).toContain('(all 3 workloads together)')
    expect(text).toContain('Deployment default/api\n')
    expect(text).toContain('Deployment default/web\n')
    expect(text).not.toContain('Deployment default/idle\n')
    expect(text).toContain('1 of 3 workloads does not change.')
    expect(text.match(/peak nodes/g)).toHaveLength(1)
  })

  it('have the same columns, whatever their kind', async () => {
    const agent = deployment('agent', 1).replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 1\n', '')
    const given = [{ name: 'all.yaml', text: [deployment('web', 2), agent].join('---\n') }]
    const text = renderSummary(await run({ given, to: ['restart'] }), { width: 80, hasColour: false, isUtf8: true })
    expect(text).toContain('DaemonSet default/agent\n')
    expect(text.match(/^ +no policy {2,}Complete$/gm)).toHaveLength(3)
  })

  it('can be expected something of', async () => {
    const { outcomes } = await run({
      expect: ['api: peakPods <= 3', 'deployment/web: peakPods <= 8', 'TerminationComplete: web: peakPods <= 4', 'peakPods <= 13'],
    })
    expect(outcomes.map(({ failures }) => failures)).toEqual([['api: peakPods <= 3: it is 4'], ['web: peakPods <= 4: it is 5']])
    await expect(run({ expect: ['wep: peakPods <= 3'] })).rejects.toThrow('unknown policy or workload "wep"')
  })

  it('can be expected something of in a scenario', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-several-'))
    writeFileSync(join(folder, 'all.yaml'), [deployment('web', 4), deployment('api', 2)].join('---\n'))
    const text = `manifests: all.yaml
timing: { startup: 10s, stop: 20s }
policies: [None, TerminationComplete]
steps: [{ image: web=example/web:2 }]
expect:
  - api: peakPods == 2
  - None: { web: [peakPods <= 5, completesWithin: 5s] }
`
    const file = join(folder, 'scenario.yaml')
    writeFileSync(file, text)
    const { given: _, ...bare } = request({ files: [file], to: [] })
    const { policies: __, ...scenario } = bare
    const { outcomes } = await simulate(await makePlan(scenario))
    expect(outcomes.map(({ failures }) => failures)).toEqual([['web: peakPods <= 5: it is 8', 'web: completesWithin 5s: it is 20s'], []])
  })

  it.each(['api=3', '{ deployment/api: 3 }'])('can be scaled in a scenario: %s', async (scale) => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-several-'))
    writeFileSync(join(folder, 'all.yaml'), [deployment('web', 4), deployment('api', 2)].join('---\n'))
    const file = join(folder, 'scenario.yaml')
    writeFileSync(file, `manifests: all.yaml\nsteps: [{ scale: ${scale} }]\n`)
    const { given: _, ...scenario } = request({ files: [file], to: [] })
    expect((await makePlan(scenario)).steps).toMatchObject([{ action: { type: 'scale', target: { name: 'api' }, replicas: 3 } }])
  })
})

describe('--strict', () => {
  const text = deployment('web', 1).replace('containers:', 'serviceAccountName: robot, containers:')
  const given = { given: [{ name: 'web.yaml', text }], to: [] }

  it('refuses what would be assumed', async () => {
    await expect(makePlan(request({ ...given, isStrict: true }))).rejects.toThrow(
      'pods need what no manifest has: ServiceAccount robot. Add it, or leave out --strict',
    )
    expect((await makePlan(request(given))).assumptions).toContain('ServiceAccount robot exists')
  })
})

describe('a run', () => {
  it('says which step has not ended', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 4, selector: { matchLabels: { app: web } } }
`
    const given = [{ name: 'all.yaml', text: [deployment('web', 4), budget].join('---\n') }]
    const { outcomes } = await run({ given, to: [], faults: ['web:evict=1@1s'], policies: 'None', within: '10m' })
    expect(outcomes[0]!.stuck?.join('\n')).toMatch(
      /has not ended, after 10m 00s: pods that cannot be evicted: default\/web-\S+ \(budget web\)$/,
    )
  })

  it('is advised about by the medians of all runs', async () => {
    const { outcomes, advice } = await run({ runs: 5, startup: '10s±8s', stop: '20s±15s' })
    const [none, complete] = outcomes.map(({ spread }) => spread!.availableAfterMs!.p50)
    expect(advice).toContain(`${formatLength(complete! - none!)} more (${formatLength(complete!)} until all are available)`)
  })
})

describe('a Job', () => {
  it('meets its faults while it runs', async () => {
    const job = `apiVersion: batch/v1
kind: Job
metadata: { name: sum }
spec:
  parallelism: 3
  completions: 3
  template:
    metadata: { annotations: { rollcall.dev/run-for: 60s } }
    spec: { restartPolicy: Never, containers: [{ name: sum, image: 'example/sum:1' }] }
`
    const { outcomes } = await run({ given: [{ name: 'job.yaml', text: job }], to: [], faults: ['sum:evict=1@10s'], policies: 'None' })
    expect(outcomes[0]!.measures.peakPods).toBeGreaterThanOrEqual(3)
    expect(outcomes[0]!.measures.completeAfterMs).toBeGreaterThan(60_000)
  })
})
