import { describe, expect, it } from 'vitest'
import type { OwnerReference } from '../../../api/types.ts'
import { podOf, setOf, shown, snapshotOf } from '../testing/sample-objects.ts'
import { type Claim, hasStaleClaim, planClaimOwners, planClaims } from './claims.ts'
import { planStatefulSet } from './plan.ts'

type Policy = 'Retain' | 'Delete'
const template = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }
const setWith = (whenScaled: Policy = 'Retain', whenDeleted: Policy = 'Retain', more: object = {}) =>
  setOf({ replicas: 1, volumeClaimTemplates: [template], persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted }, ...more })
const claimOf = (ownerReferences?: readonly OwnerReference[], more: object = {}): Claim => ({
  metadata: {
    name: 'data-a-0',
    namespace: 'default',
    uid: 'c',
    resourceVersion: '1',
    ...(ownerReferences && { ownerReferences }),
    ...more,
  },
})
const bySet: OwnerReference = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  name: 'a',
  uid: 'set',
  controller: true,
  blockOwnerDeletion: true,
}
const byPod: OwnerReference = { apiVersion: 'v1', kind: 'Pod', name: 'a-0', uid: 'uid-a-0', controller: true, blockOwnerDeletion: true }
const byOther: OwnerReference = { apiVersion: 'v1', kind: 'Operator', name: 'o', uid: 'o', controller: true }
const bySomeone: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'm', uid: 'm' }
const pod = { ...podOf('a-0 A ready'), ordinal: 0 }

describe('planClaims()', () => {
  it('creates missing claims, with the labels of the selector', () => {
    const set = setOf({ volumeClaimTemplates: [{ metadata: { name: 'data', labels: { a: '1', app: 'y' } } }] })
    expect(planClaims(set, pod, () => undefined).create).toEqual([
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data-a-0', namespace: 'default', labels: { a: '1', app: 'x' } },
      },
    ])
  })

  it('creates no existing claim, and returns those that are being deleted', () => {
    expect(planClaims(setWith(), pod, () => claimOf())).toEqual({ create: [], beingDeleted: [] })
    const terminating = claimOf([], { deletionTimestamp: '2026-11-01T12:00:00Z' })
    expect(planClaims(setWith(), pod, () => terminating)).toEqual({ create: [], beingDeleted: ['data-a-0'] })
  })
})

describe('planClaimOwners()', () => {
  const rows: {
    name: string
    scaled?: Policy
    deleted?: Policy
    away?: boolean
    owners?: readonly OwnerReference[]
    /** Undefined: not changed. */
    becomes?: readonly OwnerReference[]
    conflicting?: readonly string[]
  }[] = [
    { name: 'always retained: no owner' },
    { name: 'kept in any case: owners of before are dropped', owners: [bySet, bySomeone], becomes: [bySomeone] },
    { name: 'deleted with the set: the set owns it', deleted: 'Delete', becomes: [bySet] },
    { name: 'deleted with the set: stays so', deleted: 'Delete', owners: [bySet] },
    { name: 'deleted with the set: also of a pod that is scaled away', deleted: 'Delete', away: true, becomes: [bySet] },
    { name: 'deleted when scaled: no owner while the pod is in range', scaled: 'Delete' },
    { name: 'deleted when scaled: the pod owns it when it goes', scaled: 'Delete', away: true, becomes: [byPod] },
    { name: 'deleted when scaled: it comes back into range', scaled: 'Delete', owners: [byPod], becomes: [] },
    { name: 'deleted in any case: the set owns it', scaled: 'Delete', deleted: 'Delete', becomes: [bySet] },
    { name: 'deleted in any case: then the pod', scaled: 'Delete', deleted: 'Delete', away: true, owners: [bySet], becomes: [byPod] },
    {
      name: 'a reference that does not control is made to',
      deleted: 'Delete',
      owners: [{ ...bySet, controller: false }],
      becomes: [bySet],
    },
    { name: 'another controller keeps it', deleted: 'Delete', owners: [byOther], conflicting: ['data-a-0'] },
    {
      name: 'another controller: ours is dropped',
      deleted: 'Delete',
      owners: [byOther, { ...bySet, controller: false }],
      becomes: [byOther],
      conflicting: ['data-a-0'],
    },
    { name: 'another controller does not matter when it is kept', owners: [byOther] },
    {
      name: 'an earlier set of that name: left alone',
      deleted: 'Delete',
      owners: [{ ...bySet, uid: 'earlier' }],
      conflicting: ['data-a-0'],
    },
    {
      name: 'an earlier pod of that name: left alone',
      scaled: 'Delete',
      away: true,
      owners: [{ ...byPod, uid: 'earlier' }],
      conflicting: ['data-a-0'],
    },
  ]
  for (const { name, scaled, deleted, away = false, owners, becomes, conflicting = [] } of rows)
    it(name, () => {
      const set = setWith(scaled, deleted, { replicas: away ? 0 : 1 })
      const plan = planClaimOwners(set, pod, () => claimOf(owners))
      expect(plan.update.map(({ ownerReferences }) => ownerReferences)).toEqual(becomes === undefined ? [] : [becomes])
      expect(plan.conflicting).toEqual(conflicting)
    })
})

describe('hasStaleClaim()', () => {
  const newPod = { metadata: { name: 'a-0' }, ordinal: 0 }
  it('is true while the claim waits for the pod of before', () => {
    expect(hasStaleClaim(setWith('Delete'), newPod, () => claimOf([byPod]))).toBe(true)
    expect(hasStaleClaim(setWith('Delete'), newPod, () => claimOf([bySet]))).toBe(false)
    expect(hasStaleClaim(setWith('Delete'), newPod, () => undefined)).toBe(false)
    expect(hasStaleClaim(setWith('Retain'), newPod, () => claimOf([byPod]))).toBe(false)
  })
})

describe('planStatefulSet(): claims', () => {
  it('creates the claims with the pod, and mounts them', () => {
    const plan = planStatefulSet(snapshotOf(setWith(), []))
    expect(plan.steps[0]?.actions[0]).toMatchObject({
      type: 'create-pod',
      pod: { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-a-0' } }] } },
      claims: { create: [{ metadata: { name: 'data-a-0' } }] },
    })
  })

  it('waits for a stale claim', () => {
    expect(shown(planStatefulSet(snapshotOf(setWith('Delete'), [], { claims: [claimOf([byPod])] })))).toEqual([])
  })

  it('creates the missing claim of a pending pod', () => {
    expect(shown(planStatefulSet(snapshotOf(setWith(), ['a-0 A pending'])))).toEqual(['complete-claims a-0'])
    expect(shown(planStatefulSet(snapshotOf(setWith(), ['a-0 A pending'], { claims: [claimOf()] })))).toEqual([])
  })

  it('makes the pod the owner of its claim before it is deleted', () => {
    const set = setWith('Delete', 'Delete', { replicas: 0 })
    expect(shown(planStatefulSet(snapshotOf(set, ['a-0 A ready'], { claims: [claimOf([bySet])] })))).toEqual([
      'own-claims a-0',
      'delete a-0',
    ])
  })
})
