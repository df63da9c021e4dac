import { describe, expect, it } from 'vitest'
import type { StatefulSet } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { nextProgressing, type ProgressInput, type ProgressingCondition, progressDeadlineOf, withCondition } from './progressing.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)
const ago = (seconds: number) => formatTime(nowMs - seconds * 1000)
const input = (more: Partial<ProgressInput> = {}): ProgressInput => ({
  revision: 'a-1',
  isNewGoal: false,
  isComplete: false,
  hasProgressed: false,
  isUpToUser: false,
  deadlineSeconds: undefined,
  lastProgressAtMs: undefined,
  nowMs,
  ...more,
})
const condition = (more: Partial<ProgressingCondition> = {}): ProgressingCondition => ({
  type: 'Progressing',
  status: 'True',
  lastUpdateTime: ago(100),
  lastTransitionTime: ago(200),
  reason: 'RevisionUpdated',
  message: 'Revision "a-1" is progressing.',
  ...more,
})
const complete = condition({ reason: 'NewRevisionAvailable', message: 'Revision "a-1" has successfully progressed.' })
const failed = condition({ status: 'False', reason: 'ProgressDeadlineExceeded', message: 'Revision "a-1" has timed out progressing.' })

describe('nextProgressing()', () => {
  const rows: {
    name: string
    before?: ProgressingCondition
    input?: Partial<ProgressInput>
    reason: string
    status?: 'True' | 'False'
    /** Seconds ago; 0 is now. */
    transition?: number
    update?: number
  }[] = [
    { name: 'starts with a new revision', reason: 'NewRevisionCreated', transition: 0, update: 0 },
    {
      name: 'is complete at once when nothing is left to do',
      input: { isComplete: true },
      reason: 'NewRevisionAvailable',
      transition: 0,
      update: 0,
    },
    { name: 'stays as it is while nothing happens', before: condition(), reason: 'RevisionUpdated', transition: 200, update: 100 },
    { name: 'notes progress', before: condition(), input: { hasProgressed: true }, reason: 'RevisionUpdated', transition: 200, update: 0 },
    {
      name: 'notes completion',
      before: condition(),
      input: { isComplete: true },
      reason: 'NewRevisionAvailable',
      transition: 200,
      update: 0,
    },
    {
      name: 'stays complete when it still is',
      before: complete,
      input: { isComplete: true },
      reason: 'NewRevisionAvailable',
      transition: 200,
      update: 100,
    },
    {
      name: 'stays complete when pods fail later',
      before: complete,
      input: { deadlineSeconds: 10 },
      reason: 'NewRevisionAvailable',
      transition: 200,
      update: 100,
    },
    {
      name: 'stays complete when failed pods come back',
      before: complete,
      input: { hasProgressed: true },
      reason: 'NewRevisionAvailable',
      transition: 200,
      update: 100,
    },
    {
      name: 'goes on when it is scaled',
      before: complete,
      input: { isNewGoal: true },
      reason: 'RevisionUpdated',
      transition: 200,
      update: 0,
    },
    {
      name: 'begins anew with another revision',
      before: complete,
      input: { revision: 'a-2' },
      reason: 'NewRevisionCreated',
      transition: 200,
      update: 0,
    },
    {
      name: 'is in time on the last second',
      before: condition(),
      input: { deadlineSeconds: 100 },
      reason: 'RevisionUpdated',
      transition: 200,
      update: 100,
    },
    {
      name: 'fails after the deadline',
      before: condition(),
      input: { deadlineSeconds: 99 },
      reason: 'ProgressDeadlineExceeded',
      status: 'False',
      transition: 0,
      update: 0,
    },
    {
      name: 'progress comes before the deadline',
      before: condition(),
      input: { deadlineSeconds: 99, hasProgressed: true },
      reason: 'RevisionUpdated',
      transition: 200,
      update: 0,
    },
    {
      name: 'has no deadline while the user has to act',
      before: condition(),
      input: { deadlineSeconds: 99, isUpToUser: true },
      reason: 'RevisionUpdated',
      transition: 200,
      update: 100,
    },
    {
      name: 'stays failed',
      before: failed,
      input: { deadlineSeconds: 10 },
      reason: 'ProgressDeadlineExceeded',
      status: 'False',
      transition: 200,
      update: 100,
    },
    {
      name: 'recovers with progress',
      before: failed,
      input: { deadlineSeconds: 10, hasProgressed: true },
      reason: 'RevisionUpdated',
      transition: 0,
      update: 0,
    },
    {
      name: 'recovers with another revision',
      before: failed,
      input: { deadlineSeconds: 10, revision: 'a-2' },
      reason: 'NewRevisionCreated',
      transition: 0,
      update: 0,
    },
    {
      name: 'recovers when it completes',
      before: failed,
      input: { isComplete: true },
      reason: 'NewRevisionAvailable',
      transition: 0,
      update: 0,
    },
  ]
  for (const { name, before, input: more, reason, status = 'True', transition = 0, update = 0 } of rows)
    it(name, () => {
      const next = nextProgressing(before === undefined ? undefined : [before], input(more)).condition as ProgressingCondition
      expect(next).toMatchObject({ type: 'Progressing', status, reason, lastTransitionTime: ago(transition), lastUpdateTime: ago(update) })
    })

  describe('with a number of replicas', () => {
    const message = (count: string) => `Revision "a-1" with ${count} has successfully progressed.`
    const completeWith = (count: string) => condition({ reason: 'NewRevisionAvailable', message: message(count) })

    it.each([
      ['the same', '3 replicas', 3, 'NewRevisionAvailable'],
      ['one', '1 replica', 1, 'NewRevisionAvailable'],
      ['none', '0 replicas', 0, 'NewRevisionAvailable'],
      ['more', '3 replicas', 33, 'RevisionUpdated'],
      ['fewer', '33 replicas', 3, 'RevisionUpdated'],
      ['more than one', '1 replica', 11, 'RevisionUpdated'],
    ])('continues when it is scaled: %s', (_, before, replicas, reason) =>
      expect(nextProgressing([completeWith(before)], input({ replicas })).condition.reason).toBe(reason),
    )

    it('names the number of replicas in every message', () => {
      const said = (before: ProgressingCondition[], more: Partial<ProgressInput>) =>
        nextProgressing(before, input({ replicas: 3, ...more })).condition.message
      const old = condition({ message: 'Revision "a-1" with 3 replicas is progressing.' })
      expect(said([], {})).toBe('Created new revision "a-1" with 3 replicas')
      expect(said([old], { hasProgressed: true })).toBe('Revision "a-1" with 3 replicas is progressing.')
      expect(said([old], { isComplete: true })).toBe(message('3 replicas'))
      expect(said([old], { deadlineSeconds: 9 })).toBe('Revision "a-1" with 3 replicas has timed out progressing.')
    })
  })

  it('requeues for the moment after the deadline', () => {
    expect(nextProgressing([condition()], input({ deadlineSeconds: 150 })).requeueAtMs).toBe(nowMs + 50_001)
    expect(nextProgressing([condition()], input()).requeueAtMs).toBeUndefined()
    expect(nextProgressing([complete], input({ deadlineSeconds: 150 })).requeueAtMs).toBeUndefined()
  })

  it('counts from the last trace of progress where the server keeps no lastUpdateTime', () => {
    const { lastUpdateTime: _, ...bare } = condition()
    expect(nextProgressing([bare], input({ deadlineSeconds: 90, lastProgressAtMs: nowMs - 60_000 })).condition.status).toBe('True')
    expect(nextProgressing([bare], input({ deadlineSeconds: 90, lastProgressAtMs: nowMs - 95_000 })).condition.status).toBe('False')
  })
})

describe('progressDeadlineOf()', () => {
  const set = (seconds?: number, annotation?: string) =>
    ({
      metadata: annotation === undefined ? {} : { annotations: { 'rollcall.dev/progress-deadline-seconds': annotation } },
      spec: seconds === undefined ? {} : { progressDeadlineSeconds: seconds },
    }) as object as StatefulSet
  const rows = [
    { name: 'none', set: set(), value: undefined },
    { name: 'the field', set: set(5), value: 5 },
    { name: 'the annotation', set: set(undefined, '7'), value: 7 },
    { name: 'the field wins', set: set(5, '7'), value: 5 },
    { name: 'the largest number means none', set: set(2147483647), value: undefined },
    { name: 'also as annotation', set: set(undefined, '2147483647'), value: undefined },
  ]
  for (const { name, set: given, value } of rows)
    it(name, () => expect(progressDeadlineOf(given)).toEqual(value === undefined ? {} : { value }))

  for (const text of ['0', '-1', '1.5', 'soon', '', '2147483648'])
    it(`rejects ${JSON.stringify(text)}`, () => expect(progressDeadlineOf(set(undefined, text)).problem).toContain(JSON.stringify(text)))
})

describe('withCondition()', () => {
  it('replaces in place, and adds at the end', () => {
    const other = { type: 'Other', status: 'True' }
    expect(withCondition([complete, other], failed)).toEqual([failed, other])
    expect(withCondition([other], failed)).toEqual([other, failed])
  })
})
