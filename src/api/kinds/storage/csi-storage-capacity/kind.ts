// Kubernetes: pkg/registry/storage/csistoragecapacity.csiStorageCapacityStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, invalid, shownAs } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { immutableMessage, validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain, notNegativeMessage } from '../../../machinery/validation/names.ts'
import { shownSelector } from '../../../machinery/validation/shown-struct.ts'
import type { CsiStorageCapacity } from '../../../types.ts'

export const csiStorageCapacities: Kind<CsiStorageCapacity> = {
  ...resource('storage.CSIStorageCapacity'),
  strategy: {
    unconditionalUpdate: false,
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateCsiStorageCapacity,
    validateUpdate: validateCsiStorageCapacityUpdate,
  },
}

// Kubernetes: pkg/apis/storage/validation.ValidateCSIStorageCapacity, ValidateCSIStorageCapacityUpdate
function validateCsiStorageCapacity({ nodeTopology, storageClassName = '', capacity }: CsiStorageCapacity): FieldError[] {
  const errors = validateLabelSelector(nodeTopology, 'nodeTopology')
  for (const message of isDns1123Subdomain(storageClassName)) errors.push(invalid('storageClassName', storageClassName, message))
  if (capacity?.startsWith('-')) errors.push(invalid('capacity', shownAs(JSON.stringify(capacity)), notNegativeMessage))
  return errors
}

export function validateCsiStorageCapacityUpdate(next: CsiStorageCapacity, current: CsiStorageCapacity): FieldError[] {
  const errors = validateCsiStorageCapacity(next)
  if (!isEqualJson(next.nodeTopology, current.nodeTopology))
    errors.push(invalid('nodeTopology', shownSelector(next.nodeTopology), immutableMessage))
  if (next.storageClassName !== current.storageClassName)
    errors.push(invalid('storageClassName', next.storageClassName ?? '', immutableMessage))
  return errors
}
