// Kubernetes: pkg/registry/storage/storageclass.storageClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printStorageClass
// Kubernetes: pkg/apis/storage/v1.SetDefaults_StorageClass
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import { changed, declared, duplicate, type FieldError, invalid, required, tooLong } from '../../../machinery/field-error.ts'
import { fillObject } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { byteLength, isQualifiedName } from '../../../machinery/validation/names.ts'
import type { StorageClass } from '../../../types.ts'
import { deprecatedNodeLabels } from '../../core/node/label-warnings.ts'

// Kubernetes: pkg/apis/core/helper.GetPersistentVolumeClass, GetPersistentVolumeClaimClass
export const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
export const useClassName = 'deprecated since v1.8; use "storageClassName" attribute instead'

const defaultClassAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

export const storageClasses: Kind<StorageClass> = {
  ...resource('storage.StorageClass'),
  strategy: {
    default(storageClass) {
      fillObject('storage.StorageClass', storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
    },
    validate: validateStorageClass,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateStorageClassUpdate,
    warnings: ({ allowedTopologies }) =>
      (allowedTopologies ?? []).flatMap(({ matchLabelExpressions }, i) =>
        (matchLabelExpressions ?? []).flatMap(({ key }, j) => {
          const message = deprecatedNodeLabels.get(key)
          return message === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${message}`]
        }),
      ),
  },
  columns: columnsOf([
    { ...nameColumn, cell: nameCell },
    text('Provisioner', 'What makes its volumes.', ({ provisioner }) => provisioner ?? ''),
    text('ReclaimPolicy', 'What becomes of a volume when its claim goes.', ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete'),
    text('VolumeBindingMode', 'When a claim is bound.', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
    text('AllowVolumeExpansion', 'Whether claims may grow.', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

function nameCell(storageClass: StorageClass): string {
  const isDefault = defaultClassAnnotations.some((name) => storageClass.metadata?.annotations?.[name] === 'true')
  return isDefault ? `${nameOf(storageClass)} (default)` : nameOf(storageClass)
}

// Kubernetes: pkg/apis/storage/validation.ValidateStorageClass, ValidateStorageClassUpdate, validateParameters
// Kubernetes: pkg/apis/storage/validation.validateVolumeBindingMode, validateAllowedTopologies
export function validateStorageClass(storageClass: StorageClass): FieldError[] {
  const errors: FieldError[] = []
  const { provisioner, reclaimPolicy, volumeBindingMode } = storageClass
  if (!provisioner) errors.push(declared(required('provisioner', '')))
  else {
    const name = provisioner.toLowerCase()
    for (const message of isQualifiedName(name)) errors.push(invalid('provisioner', name, message))
  }
  addParameterErrors(errors, storageClass.parameters ?? {})
  if (reclaimPolicy) addUnsupported(errors, reclaimPolicy, ['Delete', 'Retain'], 'reclaimPolicy')
  if (volumeBindingMode === undefined) errors.push(required('volumeBindingMode', ''))
  else addUnsupported(errors, volumeBindingMode, 'storage.StorageClass.volumeBindingMode', 'volumeBindingMode')
  addTopologyErrors(errors, storageClass.allowedTopologies ?? [])
  return errors
}

function addParameterErrors(errors: FieldError[], parameters: Readonly<Record<string, string>>): void {
  const entries = Object.entries(parameters)
  if (entries.length > 512) {
    errors.push(tooLong('parameters', 512))
    return
  }
  let bytes = 0
  for (const [key, value] of entries) {
    if (key === '') errors.push(invalid('parameters', key, 'field can not be empty.'))
    bytes += byteLength(key) + byteLength(value)
  }
  if (bytes > 262144) errors.push(tooLong('parameters', 262144))
}

function addTopologyErrors(errors: FieldError[], terms: NonNullable<StorageClass['allowedTopologies']>): void {
  const seenTerms = new Map<string, number>()
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const path = `allowedTopologies[${index}].matchLabelExpressions`
    const term = new Map<string, string[]>()
    for (const [at, { key = '', values: asked }] of matchLabelExpressions.entries()) {
      const values = asked ?? []
      if (values.length === 0) errors.push(required(`${path}[${at}].values`, ''))
      for (const message of isQualifiedName(key)) errors.push(invalid(`${path}[${at}].key`, key, message))
      const seen = new Set<string>()
      for (const [position, value] of values.entries()) {
        if (seen.has(value)) errors.push(duplicate(`${path}[${at}].values[${position}]`, value))
        seen.add(value)
      }
      if (term.has(key)) errors.push(duplicate(`${path}[${at}].key`, key))
      term.set(key, [...seen].sort())
    }
    const text = JSON.stringify([...term].sort(([a], [b]) => (a < b ? -1 : 1)))
    // Kubernetes reports the first empty term as a duplicate as many times as there are terms.
    const before = seenTerms.get(text) ?? (term.size === 0 ? terms.length : 0)
    for (let count = 0; count < before; count++) errors.push(duplicate(path, ''))
    seenTerms.set(text, before + 1)
  }
}

export function validateStorageClassUpdate(next: StorageClass, current: StorageClass): FieldError[] {
  const errors = validateStorageClass(next)
  if (next.provisioner !== current.provisioner) errors.push(changed('provisioner'))
  if (!isEqualJson(next.parameters ?? {}, current.parameters ?? {})) errors.push(changed('parameters'))
  for (const field of ['reclaimPolicy', 'volumeBindingMode'] as const) if (next[field] !== current[field]) errors.push(changed(field))
  return errors
}
