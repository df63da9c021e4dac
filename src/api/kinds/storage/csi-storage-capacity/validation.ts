import { type FieldError, invalid, shownAs } from '../../../machinery/field-error.ts'
import { validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain, notNegativeMessage } from '../../../machinery/validation/names.ts'
import type { CsiStorageCapacity } from '../../../types.ts'

export function validateCsiStorageCapacity({ nodeTopology, storageClassName = '', capacity }: CsiStorageCapacity): FieldError[] {
  const errors = validateLabelSelector(nodeTopology, 'nodeTopology')
  for (const message of isDns1123Subdomain(storageClassName)) errors.push(invalid('storageClassName', storageClassName, message))
  if (capacity?.startsWith('-')) errors.push(invalid('capacity', shownAs(JSON.stringify(capacity)), notNegativeMessage))
  return errors
}
