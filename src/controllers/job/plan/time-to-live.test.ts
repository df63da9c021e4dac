import { describe, expect, it } from 'vitest'
import { makeJob } from '../testing/sample-objects.ts'
import { expiresAtMs } from './time-to-live.ts'

describe('expiresAtMs()', () => {
  const at = '2026-11-15T12:00:00Z'
  const end = (type: string, status = 'True', time: string | null = at) => ({
    conditions: [{ type, status, lastTransitionTime: time as never }],
  })
  it.each([
    ['a complete Job', makeJob({ ttlSecondsAfterFinished: 60 }, end('Complete')), 60],
    ['a failed Job', makeJob({ ttlSecondsAfterFinished: 0 }, end('Failed')), 0],
    ['no time to live', makeJob({}, end('Complete')), undefined],
    ['a Job that has not finished', makeJob({ ttlSecondsAfterFinished: 60 }, end('SuccessCriteriaMet')), undefined],
    ['a Job whose end has no time', makeJob({ ttlSecondsAfterFinished: 60 }, end('Complete', 'True', null)), undefined],
    ['a Job that is being deleted', makeJob({ ttlSecondsAfterFinished: 60 }, end('Complete'), { deletionTimestamp: at }), undefined],
  ])('%s', (_, job, seconds) => {
    expect(expiresAtMs(job)).toBe(seconds === undefined ? undefined : Date.UTC(2026, 10, 15, 12) + seconds * 1000)
  })
})
