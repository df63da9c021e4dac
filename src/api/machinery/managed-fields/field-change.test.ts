import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../types.ts'
import { changeOf } from './field-change.ts'
import { emptySet } from './field-set.ts'
import { resetFieldsOf } from './reset-fields.ts'

const deployment = (replicas: number, ready: number) =>
  ({ metadata: { name: 'web' }, spec: { replicas }, status: { readyReplicas: ready } }) as KubernetesObject
const ofStatus = (from: number, to: number) => changeOf('apps.Deployment', deployment(1, from), deployment(1, to), resetFieldsOf('status'))
const ready = { 'f:status': { 'f:readyReplicas': emptySet } }

describe('changeOf()', () => {
  it('works out changes of the same fields once', () => {
    expect(ofStatus(1, 2)).toBe(ofStatus(7, 8))
    expect(ofStatus(1, 2).owned).toEqual(ready)
  })

  it('keeps apart the changes of different fields, and those through different endpoints', () => {
    expect(ofStatus(1, 0)).not.toBe(ofStatus(1, 2))
    expect(ofStatus(1, 0)).toMatchObject({ owned: {}, removed: ready })
    const ofSpec = changeOf('apps.Deployment', deployment(1, 1), deployment(1, 2), resetFieldsOf(''))
    expect(ofSpec.written).toEqual({})
  })

  it('takes the written fields from other managers and adds them to those of the writer, by identity', () => {
    const change = ofStatus(1, 2)
    const others = { 'f:status': { 'f:readyReplicas': emptySet, 'f:replicas': emptySet } }
    expect(change.leftOf(others)).toEqual({ 'f:status': { 'f:replicas': emptySet } })
    expect(change.leftOf(others)).toBe(change.leftOf(others))
    const untouched = { 'f:spec': { 'f:replicas': emptySet } }
    expect(change.leftOf(untouched)).toBe(untouched)
    expect(change.joinedWith(untouched)).toEqual({ ...untouched, ...ready })
    expect(change.joinedWith(untouched)).toBe(change.joinedWith(untouched))
  })
})
