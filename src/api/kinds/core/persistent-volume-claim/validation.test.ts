import { expect, it } from 'vitest'
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { persistentVolumeClaims } from './kind.ts'
import { validatePersistentVolumeClaim, validatePersistentVolumeClaimUpdate } from './validation.ts'

const metadata = { name: 'a', namespace: 'default' }
const claim: Subject = {
  type: 'core.PersistentVolumeClaim',
  strategy: { default: persistentVolumeClaims.strategy.default },
  base: { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
}
creates(validatePersistentVolumeClaim, claim, [
  ['a plain one', {}, []],
  ['no access', { spec: { accessModes: [] } }, ['spec.accessModes: Required value: at least 1 access mode is required']],
  [
    'an unknown access',
    { spec: { accessModes: ['Any'] } },
    ['spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'],
  ],
  ['no size', { spec: { resources: { requests: null } } }, ['spec.resources[storage]: Required value']],
  [
    'no room',
    { spec: { resources: { requests: { storage: '0' } } } },
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
])
const isSpecImmutable = expect.stringContaining(
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@',
) as unknown as string
updates(validatePersistentVolumeClaimUpdate, claim, [
  ['a volume', { spec: { volumeName: 'v' } }, {}, []],
  ['another volume', { spec: { volumeName: 'w' } }, { spec: { volumeName: 'v' } }, [isSpecImmutable]],
  ['a class where there was none', { spec: { storageClassName: 'fast' } }, {}, []],
  ['another class', { spec: { storageClassName: 'fast' } }, { spec: { storageClassName: 'slow' } }, [isSpecImmutable]],
  ['more before it is bound', { spec: { resources: { requests: { storage: '2Gi' } } } }, {}, [isSpecImmutable]],
  [
    'more when it is bound',
    { spec: { resources: { requests: { storage: '2Gi' } } }, status: { phase: 'Bound' } },
    { status: { phase: 'Bound' } },
    [],
  ],
  [
    'less than it has',
    { spec: { resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Bound' } },
    { spec: { resources: { requests: { storage: '2Gi' } } }, status: { phase: 'Bound', capacity: { storage: '2Gi' } } },
    ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
  ],
])

it('drops a source in another namespace from a new claim', () => {
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
  const source = (dataSource: object | undefined) => {
    const made = { metadata, spec: { dataSource, dataSourceRef: { apiGroup: 'x.example.com', kind: 'K', name: 'n', namespace: 'other' } } }
    persistentVolumeClaims.strategy.prepareForCreate?.(made as never, undefined as never)
    return made.spec
  }
  expect(source(undefined)).not.toHaveProperty('dataSourceRef')
  expect(source(snapshot)).toMatchObject({ dataSource: snapshot, dataSourceRef: snapshot })
})

it('does not validate the group of a source again', () => {
  const next = { metadata, spec: { accessModes: ['ReadWriteOnce'], dataSource: { apiGroup: 'A B', kind: 'K', name: 'n' } } }
  const fields = validatePersistentVolumeClaimUpdate(next as never, next as never).map(({ field }) => field)
  expect(fields).not.toContain('spec.dataSource.apiGroup')
  expect(validatePersistentVolumeClaim(next as never).map(({ field }) => field)).toContain('spec.dataSource.apiGroup')
})
