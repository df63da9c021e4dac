import { describe, expect, it } from 'vitest'
import { selectorRequirements } from '../../../base/label-selector.ts'
import { makeJob, makePod } from '../testing/sample-objects.ts'
import { planClaim } from './claim.ts'
import { expiresAtMs } from './time-to-live.ts'

describe('planClaim()', () => {
  const selector = selectorRequirements({ matchLabels: { app: 'x' } })!
  const pod = (name: string, app: string, owner?: string, isGoing = false) => {
    const made = makePod(name, { isGoing })
    const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'a', uid: owner ?? '', controller: true }
    return { ...made, metadata: { ...made.metadata, labels: { app }, ...(owner && { ownerReferences: [reference] }) } }
  }
  const pods = [
    pod('own', 'x', 'job'),
    pod('own-going', 'x', 'job', true),
    pod('strayed', 'y', 'job'),
    pod('orphan', 'x'),
    pod('orphan-going', 'x', undefined, true),
    pod('foreign', 'x', 'other'),
    pod('stranger', 'y'),
  ]
  const names = (list: readonly { readonly metadata: { readonly name: string } }[]) => list.map(({ metadata }) => metadata.name)

  it('keeps, adopts and lets go', () => {
    const { owned, adopt, release } = planClaim(makeJob(), selector, pods)
    expect([names(owned), names(adopt), names(release)]).toEqual([['own', 'own-going'], ['orphan'], ['strayed']])
  })

  it('only keeps while the Job is being deleted', () => {
    const { owned, adopt, release } = planClaim(makeJob({}, {}, { deletionTimestamp: '2026-11-15T12:00:00Z' }), selector, pods)
    expect([names(owned), adopt, release]).toEqual([['own', 'own-going'], [], []])
  })
})

describe('expiresAtMs()', () => {
  const at = '2026-11-15T12:00:00Z'
  const end = (type: string, status = 'True') => ({ conditions: [{ type, status, lastTransitionTime: at as never }] })
  it.each([
    ['a complete Job', makeJob({ ttlSecondsAfterFinished: 60 }, end('Complete')), 60],
    ['a failed Job', makeJob({ ttlSecondsAfterFinished: 0 }, end('Failed')), 0],
    ['no time to live', makeJob({}, end('Complete')), undefined],
    ['a Job that goes on', makeJob({ ttlSecondsAfterFinished: 60 }, end('SuccessCriteriaMet')), undefined],
    ['one that is being deleted', makeJob({ ttlSecondsAfterFinished: 60 }, end('Complete'), { deletionTimestamp: at }), undefined],
  ])('%s', (_, job, seconds) => {
    expect(expiresAtMs(job)).toBe(seconds === undefined ? undefined : Date.UTC(2026, 10, 15, 12) + seconds * 1000)
  })
})
