import { describe, expect, it } from 'vitest'
import { creates, run, type Subject } from '../../../testing/judge-rows.ts'
import { namespaces, validateNamespace, validateNamespaceFinalizeUpdate, validateNamespaceStatusUpdate } from './kind.ts'

const _metadata = { name: 'a', namespace: 'default' }

const namespace: Subject = { type: 'core.Namespace', strategy: namespaces.strategy, base: { metadata: { name: 'a' } } }
creates(validateNamespace, namespace, [['a plain one', {}, []]])
describe('validateNamespaceFinalizeUpdate()', () => {
  it('requires finalizers that it knows, or with a domain', () => {
    const next = { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes', 'a.io/b', 'c'] } }
    expect(run(validateNamespaceFinalizeUpdate, next, next)).toEqual([
      'spec.finalizers[2]: Invalid value: "c": name is neither a standard finalizer name nor is it fully qualified',
    ])
  })
})
describe('validateNamespaceStatusUpdate()', () => {
  it.each([
    ['Active', undefined, []],
    ['Terminating', '2026-01-01T00:00:00Z', []],
    ['Terminating', undefined, ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty']],
    [
      'Active',
      '2026-01-01T00:00:00Z',
      ['status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty'],
    ],
  ])('judges the phase %s with the deletion timestamp %s', (phase, deletionTimestamp, messages) => {
    const next = { metadata: { name: 'a', deletionTimestamp }, status: { phase } }
    expect(run(validateNamespaceStatusUpdate, next, next)).toEqual(messages)
  })
})
