// The messages are those of kube-apiserver v1.37.1.
import { describe, expect, it } from 'vitest'
import { creates, run, type Subject } from '../../../testing/judge-rows.ts'
import { storageVersionMigrations, validateStorageVersionMigration, validateStorageVersionMigrationStatusUpdate } from './kind.ts'

const migration: Subject = {
  type: 'storagemigration.StorageVersionMigration',
  strategy: storageVersionMigrations.strategy,
  base: { metadata: { name: 'm' }, spec: { resource: { group: 'apps', resource: 'deployments' } } },
}
creates(validateStorageVersionMigration, migration, [
  ['a good one', {}, []],
  ['no resource', { spec: { resource: { resource: '' } } }, ['spec.resource.resource: Required value: resource is required to be set']],
])
const conditions = ['Succeeded', 'Failed'].map((type) => ({
  type,
  status: 'True',
  reason: 'R',
  message: '',
  lastTransitionTime: '2026-11-01T12:00:00Z',
}))
describe('validateStorageVersionMigrationStatusUpdate()', () => {
  it.each([
    ['a version', { resourceVersion: '5' }, {}, []],
    [
      'another version, which is no number',
      { resourceVersion: '05' },
      { resourceVersion: '5' },
      [
        'status.resourceVersion: Invalid value: "05": resource version is not well formed: 05',
        'status.resourceVersion: Invalid value: "05": field is immutable',
      ],
    ],
    [
      'success that is taken back',
      { conditions: [] },
      { conditions: conditions.slice(0, 1) },
      ['status.conditions: Invalid value: []: Success condition cannot be set to false once it is true'],
    ],
  ])('judges %s', (_name, status, before, messages) => {
    expect(run(validateStorageVersionMigrationStatusUpdate, { status }, { status: before })).toEqual(messages)
  })
})
