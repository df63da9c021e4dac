import { expect, it } from 'vitest'
import type { Bug } from '../torture.ts'
import { storyOf } from './story.ts'

it('orders what happened within a millisecond by the revisions of the store', () => {
  const map = (done?: string) => JSON.stringify({ metadata: { name: 'order-1', ...(done && { annotations: { done } }) } })
  const step = { step: 1, atMs: 5 }
  const request = { verb: 'patch', plural: 'configmaps', subresource: '', namespace: 'default', name: 'order-1', ...step }
  const changes = [
    { ...step, type: 'create', key: 'configmaps/default/order-1', revision: 11, after: map() },
    { ...step, type: 'update', key: 'configmaps/default/order-1', revision: 13, before: map(), after: map('yes'), by: { code: 0 } },
    { ...step, type: 'update', key: 'configmaps/default/order-1', revision: 14, before: map('yes'), after: map('no') },
  ]
  const events = [
    { atMs: 5, revision: 10, text: 'step 1' },
    { atMs: 5, revision: 13, text: 'the program is killed' },
    { atMs: 5, revision: 14, text: 'the program starts again' },
  ]
  const requests = [{ ...request, revision: 12, code: 409 }]
  const bug = { finding: { keys: [] }, trace: { changes, events, requests } } as unknown as Bug
  expect(storyOf(bug).map((line) => line.slice(12))).toEqual([
    'step 1',
    'configmaps/default/order-1: created',
    'patch configmaps default/order-1 was refused with 409',
    'configmaps/default/order-1: metadata.annotations.done absent → "yes" (the response was lost)',
    'the program is killed',
    'configmaps/default/order-1: metadata.annotations.done "yes" → "no"',
    'the program starts again',
  ])
})
