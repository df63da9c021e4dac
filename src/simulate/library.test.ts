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

  it('refuses wrong input', async () => {
    await expect(simulate({ manifests: 'kind: Service' })).rejects.toThrow(/^manifests/)
    await expect(simulate({})).rejects.toThrow('there is nothing to simulate')
    await expect(simulate({ manifest: web } as never)).rejects.toThrow('there is no option "manifest"')
  })
})
