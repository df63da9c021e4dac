import { describe, expect, it } from 'vitest'
import { renderReport, simulate } from './library.ts'

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'one' }] } },
  },
}

describe('simulate()', () => {
  it('plays objects under the named policies, and lists what is not as expected', async () => {
    const { outcomes, title } = await simulate({
      manifests: web,
      to: 'image=two',
      policies: ['None', 'TerminationComplete'],
      stop: '30s',
      expect: 'peakPods <= 5',
    })
    expect(title).toBe('Deployment default/web')
    expect(outcomes.map(({ policy, failures }) => [policy, failures.length])).toEqual([
      ['None', 1],
      ['TerminationComplete', 0],
    ])
  })

  it('gives a result that can be rendered as a report', async () => {
    const result = await simulate({ manifests: JSON.stringify(web), to: ['image=two'], policies: ['None'] })
    expect(renderReport(result).endsWith('</html>\n')).toBe(true)
  })

  it('takes a load with its capacity, and refuses what no manifest has where it is strict', async () => {
    const options = { manifests: [web], to: 'restart', policies: ['None'], load: '100rps', capacity: '20rps' } as const
    const [outcome] = (await simulate(options)).outcomes
    // Four pods serve 80 of 100.
    expect(outcome!.measures.lostLoad).toBeGreaterThanOrEqual(0.2)
    const podSpec = { ...web.spec.template.spec, serviceAccountName: 'web' }
    const needing = { ...web, spec: { ...web.spec, template: { ...web.spec.template, spec: podSpec } } }
    await expect(simulate({ manifests: [needing], strict: true })).rejects.toThrow('ServiceAccount')
  })

  it('limits the change, and not what comes before it', async () => {
    const options = { manifests: [web], to: 'image=two', policies: ['None'], startup: '2s', stop: '1s' } as const
    const [outcome] = (await simulate({ ...options, within: '9s' })).outcomes
    expect(outcome).toMatchObject({ failures: [], measures: { completeAfterMs: expect.any(Number) } })
    const [late] = (await simulate({ ...options, within: '1s' })).outcomes
    expect(late?.failures).toEqual([expect.stringMatching(/^completes: Deployment default\/web has .*, after 1s/)])
  })

  it('refuses wrong input', async () => {
    await expect(simulate({ manifests: 'kind: Service' })).rejects.toThrow(/^manifests/)
    await expect(simulate({})).rejects.toThrow('there is nothing to simulate')
    await expect(simulate({ manifest: web } as never)).rejects.toThrow('there is no option "manifest"')
  })

  it.each([
    [{ files: 'web.yaml' }, 'files is "web.yaml". Give a list of strings.'],
    [{ policies: 'None' }, 'policies is "None". Give a list of strings.'],
    [{ runs: 0 }, 'runs is 0. Give a whole number from 1 to 10000.'],
    [{ seed: 1.5 }, 'seed is 1.5. Give a whole number from 0 to 2147483648.'],
    [{ stop: 45 }, 'stop is 45. Give a string.'],
    [{ to: [1] }, 'to is [1]. Give a string or a list of strings.'],
    [{ autoscale: false }, 'autoscale is false. Give a string or true.'],
    [{ strict: 'yes' }, 'strict is "yes". Give true or false.'],
    [{ onProgress: 'yes' }, 'onProgress is "yes". Give a function.'],
  ])('refuses %j', async (options, message) => {
    await expect(simulate({ manifests: [web], ...options } as never)).rejects.toThrow(`Cannot simulate: ${message}`)
  })
})
