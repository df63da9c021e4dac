import { describe, expect, it } from 'vitest'
import { renderReport } from '../report/render-report.ts'
import { makePlan } from './make-plan.ts'
import { renderJunit } from './output/junit.ts'
import { renderMarkdown } from './output/markdown.ts'
import { renderSummary } from './output/summary.ts'
import { simulate } from './simulate.ts'

const style = { width: 80, hasColour: false, isUtf8: true }
const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  strategy: { rollingUpdate: { maxSurge: 4, maxUnavailable: 0 } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { terminationGracePeriodSeconds: 120, containers: [{ name: web, image: 'web:1' }] }
`
/** Without a policy it is complete after 10 s, and its old pods have terminated after 60 s. */
const planWith = (more: Partial<Parameters<typeof makePlan>[0]>) =>
  makePlan({
    given: [{ name: 'web.yaml', text: manifest }],
    files: [],
    to: ['image=web:2'],
    scale: [],
    policies: 'None',
    startup: '10s',
    stop: '50s',
    faults: [],
    expect: [],
    command: '',
    ...more,
  })

describe('simulate() of a rollout that completes, and leaves pods that are still terminating', () => {
  it('fails because it has not ended, and says nowhere that it is not complete', async () => {
    const plan = await planWith({ within: '30s' })
    const result = await simulate(plan)
    const [outcome] = result.outcomes
    expect(outcome!.measures).toMatchObject({ completeAfterMs: 10_000 })
    expect(outcome!.failures).toEqual([expect.stringMatching(/^ends: 4 pods are still terminating, after 30s, such as web-\S+$/)])
    const summary = renderSummary(result, style)
    expect(summary).toMatch(/^until old are gone +never\nuntil complete +10s$/m)
    expect(summary).toMatch(/^Not ended \(no policy\):\n- 4 pods are still terminating, after 30s/m)
    expect(summary).toContain('FAILED None: ends: 4 pods are still terminating')
    expect(renderMarkdown(result)).toContain('| Until old pods are gone | never |\n| Until complete | 10s |')
    expect(renderReport(result)).toMatch(/data-measure="oldGoneAfterMs"><span class="number ">never</)
    const junit = renderJunit(plan, result, 1)
    expect(junit).toMatch(/<testcase name="completes" [^>]*\/>/)
    expect(junit).toMatch(/<testcase name="ends" [^>]*>\n +<failure message="ends: 4 pods are still terminating/)
  })

  it('is refused where there is no time for it', async () => {
    await expect(planWith({ within: '0s' })).rejects.toThrow('--within: "0s" leaves no time for the rollout. Write a duration such as 10m')
  })

  it('advises more time where no policy ends', async () => {
    const { advice } = await simulate(await planWith({ within: '30s', policies: 'None,TerminationStarted' }))
    expect(advice).toBe(
      'It completes, but does not end within 30s under any of the policies: pods are still terminating. Allow more time with --within.',
    )
  })

  it('has not failed where an expectation about completion is met', async () => {
    const { outcomes } = await simulate(await planWith({ within: '30s', expect: ['completesWithin 20s'] }))
    expect(outcomes[0]!.failures).toEqual([])
  })
})

describe('renderMarkdown()', () => {
  it('has no time until old pods are gone where there are none', async () => {
    expect(renderMarkdown(await simulate(await planWith({ to: [] })))).not.toContain('old pods')
  })
})

describe('renderSummary()', () => {
  it('sets the notes apart from what is above them, whichever there are', async () => {
    const { assumptions: _, ...result } = await simulate(await planWith({ nodes: '3x4cpu16Gi' }))
    const approximations = ['nodes report the pod states that other components act on']
    expect(renderSummary({ ...result, approximations }, style)).toMatch(/replicas \+ maxSurge\n\nApproximated: nodes report/)
  })
})

describe('simulate() of several runs', () => {
  it('says in how many of them an expectation is not met, and counts each run once', async () => {
    const plan = await planWith({ startup: '10s±9s', stop: '20s±19s', runs: 10, expect: ['completesWithin 18s', 'oldGoneAfter <= 50s'] })
    const { outcomes } = await simulate(plan)
    const single = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => (await simulate({ ...plan, seed: plan.seed + index, runs: 1 })).outcomes[0]!.failures),
    )
    const failing = (name: string) => single.filter((failures) => failures.some((failure) => failure.startsWith(name))).length
    const [{ failures, failedRuns }] = outcomes as [(typeof outcomes)[number]]
    expect(failedRuns).toBe(single.filter((own) => own.length > 0).length)
    expect([failing('completesWithin'), failing('oldGoneAfter')]).toEqual([expect.toSatisfy(isSome), expect.toSatisfy(isSome)])
    expect(failures).toEqual([
      expect.stringMatching(
        new RegExp(`^completesWithin 18s: it is \\S+ \\(${failing('completesWithin')} of 10 runs, such as seed \\d+\\)$`),
      ),
      expect.stringMatching(new RegExp(`^oldGoneAfter <= 50s: it is \\S+ \\(${failing('oldGoneAfter')} of 10 runs, such as seed \\d+\\)$`)),
    ])
  })

  it('shows the median of a time that some of them never reach, and that the worst run never does', async () => {
    const result = await simulate(await planWith({ startup: '10s±9s', stop: '0s', within: '17s', runs: 10 }))
    const { stuck, spread } = result.outcomes[0]!
    expect(stuck![0]).toMatch(/replicas available.*, after 17s \([2-5] of 10 runs, such as seed \d+\)$/)
    expect(spread!.completeAfterMs).toEqual({ min: expect.any(Number), p50: expect.any(Number) })
    expect(renderSummary(result, style)).toMatch(/^until complete +1\d(\.\d)?s\n {2}90% of runs within +never\n {2}worst +never$/m)
  })
})

const isSome = (count: number) => count > 0 && count < 10
