import { describe, expect, it } from 'vitest'
import { unpackOutcomes } from './packed.ts'
import { renderReport } from './render-report.ts'
import { sampleResult } from './testing/sample-result.ts'

const dataIn = (html: string) => JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)![1]!)

describe('renderReport()', () => {
  const result = sampleResult({ runs: 5 })
  const html = renderReport(result)

  it('holds the data of all outcomes', () => expect(unpackOutcomes(dataIn(html))).toEqual(result.outcomes))

  it('names no other place: no address, no file', () => {
    const outside = html.replaceAll('http://www.w3.org/2000/svg', '')
    expect(outside).not.toMatch(/https?:|\bsrc=|\bhref=|@import|url\((?!#)/)
  })

  it('is small without its data', () => expect(html.length - JSON.stringify(dataIn(html)).length).toBeLessThan(100_000))

  it('shows the advice, the command and the manifest', () => {
    expect(html).toContain('Choose TerminationComplete')
    expect(html).toContain('rollcall simulate -f web.yaml')
    expect(html).toContain('kind: Deployment')
  })

  it('marks what is over the cap, and what is best', () => {
    expect(html).toMatch(/<td class="over" data-measure="peakOverCap" data-value="7">/)
    expect(html).toMatch(/<td class="best" data-measure="peakOverCap" data-value="0">/)
  })

  it('says what was not met', () => {
    const [first, ...others] = result.outcomes
    const failed = renderReport({ ...result, outcomes: [{ ...first!, failures: ['peakPods <= 13: was 20'] }, ...others] })
    expect(failed).toContain('An expectation was not met.')
    expect(failed).toContain('No policy: peakPods &lt;= 13: was 20')
  })

  it('takes texts as texts, wherever they stand', () => {
    const evil = '</script></style></title></pre>"\'><img src=x onerror=alert(1)><!--'
    const marks = [{ atMs: 0, type: 'event' as const, object: evil, text: evil }]
    const poisoned = renderReport({
      ...result,
      title: evil,
      command: evil,
      advice: evil,
      sources: [{ name: evil, text: evil }],
      outcomes: result.outcomes.map((outcome) => ({ ...outcome, label: evil, marks, failures: [evil] })),
    })
    expect(poisoned).not.toContain('<img')
    expect(poisoned.match(/<\/script>/g)).toHaveLength(2)
    expect(poisoned.match(/<!--/g)).toBeNull()
    expect(unpackOutcomes(dataIn(poisoned))[0]!.marks).toEqual(marks)
  })

  it('shows a single run without a comparison', () => {
    const single = renderReport({ ...result, outcomes: result.outcomes.slice(0, 1) })
    expect(single).toContain('In numbers')
    expect(single).not.toContain('✓ best')
  })
})
