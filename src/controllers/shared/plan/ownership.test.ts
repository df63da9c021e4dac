import { describe, expect, it } from 'vitest'
import type { KubernetesObject, Stored } from '../../../api/types.ts'
import { planOwnership } from './ownership.ts'

const deletionTimestamp = '2026-11-15T12:00:00Z'
const object = (name: string, app: string, isBeingDeleted = false): Stored<KubernetesObject> => ({
  metadata: { name, uid: name, resourceVersion: '1', labels: { app }, ...(isBeingDeleted && { deletionTimestamp }) },
})
const controlled = [object('own', 'x'), object('own-terminating', 'x', true), object('relabelled', 'y')]
const orphans = [object('orphan', 'x'), object('orphan-terminating', 'x', true), object('unrelated', 'y')]
const plan = (owner: Stored<KubernetesObject>) => {
  const { owned, adopt, release } = planOwnership(owner, controlled, orphans, ({ metadata }) => metadata.labels?.app === 'x')
  const names = (list: readonly Stored<KubernetesObject>[]) => list.map(({ metadata }) => metadata.name)
  return { owned: names(owned), adopt: names(adopt), release: names(release) }
}

describe('planOwnership()', () => {
  it('keeps selected objects, adopts selected orphans, and releases objects that are no longer selected', () => {
    expect(plan(object('owner', 'x'))).toEqual({ owned: ['own', 'own-terminating'], adopt: ['orphan'], release: ['relabelled'] })
  })

  it('neither adopts nor releases for an owner that is being deleted', () => {
    expect(plan(object('owner', 'x', true))).toEqual({ owned: ['own', 'own-terminating'], adopt: [], release: [] })
  })
})
