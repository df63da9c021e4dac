import { describe, expect, it } from 'vitest'
import { persistentVolumeClaims } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, StorageClass, Writable } from '../../api/types.ts'
import { defaultStorageClass } from './default-class.ts'
import type { AdmittedWrite } from './plugin.ts'

const annotation = 'storageclass.kubernetes.io/is-default-class'
const storageClass = (name: string, creationTimestamp: string, value = 'true') =>
  ({ metadata: { name, creationTimestamp, annotations: { [annotation]: value } }, provisioner: 'p' }) as StorageClass

const classOf = (claim: object, classes: readonly StorageClass[]) => {
  const copy = structuredClone(claim) as Writable<PersistentVolumeClaim>
  const cluster = { list: () => classes }
  defaultStorageClass.admit!({ kind: persistentVolumeClaims, next: copy, cluster } as unknown as AdmittedWrite)
  return copy.spec?.storageClassName
}

describe('defaultStorageClass', () => {
  const [old, young, twin] = [storageClass('old', '2026-01-01'), storageClass('young', '2026-02-01'), storageClass('a-twin', '2026-02-01')]

  it.each([
    ['takes the newest', { spec: {} }, [old, young], 'young'],
    ['takes the first by name of two that are as new', { spec: {} }, [young, twin], 'a-twin'],
    ['takes none when none is the default', { spec: {} }, [storageClass('x', '2026-01-01', 'false')], undefined],
    ['leaves a class that was asked for', { spec: { storageClassName: 'mine' } }, [young], 'mine'],
    ['leaves the wish for no class', { spec: { storageClassName: '' } }, [young], ''],
    [
      'leaves a class in the old annotation',
      { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } }, spec: {} },
      [young],
      undefined,
    ],
  ])('%s', (_, claim, classes, expected) => {
    expect(classOf(claim, classes)).toBe(expected)
  })
})
