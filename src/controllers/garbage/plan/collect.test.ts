import { describe, expect, it } from 'vitest'
import type { OwnerReference } from '../../../api/types.ts'
import { type Dependent, type GarbageItem, type OwnerState, planCollect } from './collect.ts'

const owner = (uid: string): OwnerReference => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: uid, uid })
const item = (more: Partial<GarbageItem> = {}): GarbageItem => ({ ownerReferences: [], finalizers: [], isBeingDeleted: false, ...more })
const dependent = (uid: string, more: Partial<Dependent> = {}): Dependent => ({
  uid,
  blocksOwner: true,
  isBeingDeleted: false,
  isDeletingDependents: false,
  ...more,
})
const states = (known: Record<string, OwnerState>) => (reference: OwnerReference) => known[reference.uid] ?? 'solid'

describe('planCollect()', () => {
  it('leaves an object without owners alone', () => {
    expect(planCollect(item(), states({}), [])).toEqual({ action: 'none' })
  })

  it('leaves an object alone while an owner is there', () => {
    expect(planCollect(item({ ownerReferences: [owner('a')] }), states({}), [])).toEqual({ action: 'none' })
  })

  it('removes references to absent or waiting owners while another one exists', () => {
    const plan = planCollect(item({ ownerReferences: [owner('a'), owner('b'), owner('c')] }), states({ b: 'absent', c: 'waiting' }), [])
    expect(plan).toEqual({ action: 'drop-references', uids: ['b', 'c'] })
  })

  for (const [name, finalizers, propagationPolicy] of [
    ['in the background', [], 'Background'],
    ['with Orphan if it has the orphan finalizer', ['orphan'], 'Orphan'],
    ['with Foreground if it has the foreground finalizer', ['foregroundDeletion'], 'Foreground'],
  ] as const)
    it(`deletes an object without existing owners, ${name}`, () => {
      const plan = planCollect(item({ ownerReferences: [owner('a')], finalizers }), states({ a: 'absent' }), [])
      expect(plan).toEqual({ action: 'delete', propagationPolicy, unblockOwners: false })
    })

  it('deletes an object with dependents in the foreground if an owner waits for it', () => {
    const plan = planCollect(item({ ownerReferences: [owner('a')] }), states({ a: 'waiting' }), [dependent('x')])
    expect(plan).toEqual({ action: 'delete', propagationPolicy: 'Foreground', unblockOwners: false })
  })

  it('stops blocking its owners where a circle may be', () => {
    const plan = planCollect(item({ ownerReferences: [owner('a')] }), states({ a: 'waiting' }), [
      dependent('x', { isDeletingDependents: true }),
    ])
    expect(plan).toEqual({ action: 'delete', propagationPolicy: 'Foreground', unblockOwners: true })
  })

  it('does nothing for an object that is being deleted without finalizers', () => {
    expect(planCollect(item({ isBeingDeleted: true, ownerReferences: [owner('a')] }), states({ a: 'absent' }), [])).toEqual({
      action: 'none',
    })
  })

  it('deletes dependents while one of them blocks, and waits for those that are being deleted', () => {
    const deleting = item({ isBeingDeleted: true, finalizers: ['foregroundDeletion'] })
    const dependents = [dependent('x'), dependent('y', { isBeingDeleted: true }), dependent('z', { blocksOwner: false })]
    expect(planCollect(deleting, states({}), dependents)).toEqual({ action: 'delete-dependents', uids: ['x', 'z'], done: false })
  })

  it('is done when only dependents that do not block are left', () => {
    const deleting = item({ isBeingDeleted: true, finalizers: ['foregroundDeletion'] })
    expect(planCollect(deleting, states({}), [dependent('z', { blocksOwner: false })])).toEqual({
      action: 'delete-dependents',
      uids: [],
      done: true,
    })
  })

  it('orphans all dependents', () => {
    const deleting = item({ isBeingDeleted: true, finalizers: ['orphan'] })
    expect(planCollect(deleting, states({}), [dependent('x'), dependent('y')])).toEqual({ action: 'orphan-dependents', uids: ['x', 'y'] })
  })
})
