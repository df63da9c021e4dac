// Kubernetes: pkg/registry/storagemigration/storagemigration.strategy.*, statusStrategy.*
// Kubernetes: pkg/printers/internalversion.printStorageVersionMigration
import { isEqualJson } from '../../../../base/json.ts'
import { columnsOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import { isConditionTrue } from '../../../machinery/conditions.ts'
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1035Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { StorageVersionMigration } from '../../../types.ts'

export const storageVersionMigrations: Kind<StorageVersionMigration> = {
  ...resource('storagemigration.StorageVersionMigration'),
  strategy: {
    unconditionalUpdate: false,
    ...ownStatus('storagemigration.StorageVersionMigrationStatus'),
    ...onlyStatus(),
    metadata: { onUpdate: ['as new', 'changes'] },
    validate: validateStorageVersionMigration,
    validateUpdate: validateStorageVersionMigrationUpdate,
    validateStatusUpdate: validateStorageVersionMigrationStatusUpdate,
  },
  columns: columnsOf([
    text('Name', nameColumn.description, nameOf),
    text('Resource', 'The resource whose objects are migrated.', resourceCell),
    text('Status', 'The state of the migration.', statusCell),
  ]),
}

function resourceCell({ spec }: StorageVersionMigration): string {
  const { group = '', resource: name = '' } = spec?.resource ?? {}
  return group === '' ? name : `${name}.${group}`
}

function statusCell({ status }: StorageVersionMigration): string {
  const states = ['Running', 'Failed', 'Succeeded']
  return (status?.conditions ?? []).filter((one) => one.status === 'True' && states.includes(one.type)).at(-1)?.type ?? 'Unknown'
}

// Kubernetes: pkg/apis/storagemigration/validation.ValidateStorageVersionMigration
export function validateStorageVersionMigration({ spec }: StorageVersionMigration): FieldError[] {
  const { group = '', resource: name = '' } = spec?.resource ?? {}
  const path = 'spec.resource'
  const errors: FieldError[] = []
  const check = (field: string, value: string, messages: readonly string[]) => {
    if (messages.length > 0) errors.push(invalid(`${path}.${field}`, value, messages.join(',')))
  }
  if (name === '') errors.push(required(`${path}.resource`, 'resource is required to be set'))
  else check('resource', name, isDns1035Label(name))
  if (group !== '') check('group', group, isDns1123Subdomain(group))
  return errors
}

// Kubernetes: pkg/apis/storagemigration/validation.ValidateStorageVersionMigrationUpdate
function validateStorageVersionMigrationUpdate(next: StorageVersionMigration, current: StorageVersionMigration): FieldError[] {
  const errors = validateStorageVersionMigration(next)
  if (!isEqualJson(next.spec, current.spec))
    errors.push(invalid('spec', shownStruct('storagemigration.StorageVersionMigrationSpec', next.spec), immutableMessage))
  return errors
}

// Kubernetes: pkg/apis/storagemigration/validation.ValidateStorageVersionMigrationStatusUpdate
export function validateStorageVersionMigrationStatusUpdate(next: StorageVersionMigration, current: StorageVersionMigration): FieldError[] {
  const { resourceVersion: version = '', conditions = [] } = next.status ?? {}
  const errors: FieldError[] = []
  const versionError = (message: string) => errors.push(invalid('status.resourceVersion', version, message))
  if (version !== '' && !/^[1-9][0-9]*$/.test(version)) versionError(`resource version is not well formed: ${version}`)
  errors.push(...validateConditions(conditions, 'status.conditions'))
  const before = current.status?.resourceVersion ?? ''
  if (before !== '' && before !== version) versionError(immutableMessage)
  const conditionError = (message: string) => errors.push(invalid('status.conditions', conditions, message))
  const [isDone, hasFailed] = (['Succeeded', 'Failed'] as const).map((type) => isConditionTrue(conditions, type))
  if (isDone && hasFailed) conditionError('Both success and failed conditions cannot be true at the same time')
  if (isConditionTrue(current.status?.conditions, 'Succeeded') && !isDone)
    conditionError('Success condition cannot be set to false once it is true')
  if (isConditionTrue(current.status?.conditions, 'Failed') && !hasFailed)
    conditionError('Failed condition cannot be set to false once it is true')
  return errors
}
