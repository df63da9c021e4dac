import { describe, expect, it } from 'vitest'
import type { Stored } from '../../../api/types.ts'
import type { Revision } from '../../shared/plan/revision.ts'
import { setOf } from '../testing/sample-objects.ts'
import { newRevision, planHistoryLimit, planUpdateRevision } from './revisions.ts'

const setAt = (image: string) => setOf({ template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } } })
const stored = (image: string, number: number): Revision => {
  const made = newRevision(setAt(image), number, 0)
  return { ...made, metadata: { ...made.metadata, uid: image, resourceVersion: '1' } } as Stored<Revision>
}

describe('planUpdateRevision()', () => {
  const one = stored('1', 1)
  const two = stored('2', 2)
  it('creates the first revision', () => expect(planUpdateRevision(setAt('1'), [])).toEqual({ action: 'create', number: 1 }))
  it('creates a revision for a new template', () =>
    expect(planUpdateRevision(setAt('3'), [one, two])).toEqual({ action: 'create', number: 3 }))
  it('keeps the newest', () => expect(planUpdateRevision(setAt('2'), [one, two])).toEqual({ action: 'keep', revision: two }))
  it('brings an older one to the front', () =>
    expect(planUpdateRevision(setAt('1'), [one, two])).toEqual({ action: 'renumber', revision: one, number: 3 }))
})

describe('newRevision()', () => {
  it('carries labels, annotations and owner of the set', () => {
    const set = setOf({}, { metadata: { annotations: { why: 'x' } } })
    const { metadata, revision } = newRevision(set, 4, 0)
    expect(revision).toBe(4)
    expect(metadata).toMatchObject({
      annotations: { why: 'x' },
      labels: { app: 'x' },
      ownerReferences: [{ kind: 'StatefulSet', uid: 'set', controller: true }],
    })
    expect(metadata.name).toBe(`a-${(metadata as { labels?: Record<string, string> }).labels?.['controller.kubernetes.io/hash']}`)
  })

  it('has another name after a collision', () => {
    expect(newRevision(setAt('1'), 1, 1).metadata.name).not.toBe(newRevision(setAt('1'), 1, 0).metadata.name)
  })
})

describe('planHistoryLimit()', () => {
  const all = ['1', '2', '3', '4'].map((image, index) => stored(image, index + 1))
  const name = (index: number) => all[index]!.metadata.name
  const forgotten = (live: readonly string[], limit: number) =>
    planHistoryLimit(all, new Set(live), limit).map(({ metadata }) => metadata.name)
  it('forgets the oldest first', () => expect(forgotten([name(3)], 1)).toEqual([name(0), name(1)]))
  it('never forgets those in use', () => expect(forgotten([name(0), name(3)], 1)).toEqual([name(1)]))
  it('forgets none within the limit', () => expect(forgotten([name(3)], 3)).toEqual([]))
  it('keeps none with a limit of 0', () => expect(forgotten([name(3)], 0)).toHaveLength(3))
  it('keeps all with a negative limit', () => expect(forgotten([], -1)).toEqual([]))
})
