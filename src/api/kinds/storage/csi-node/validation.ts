import { duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { byteLength, isQualifiedName } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { CsiNode } from '../../../types.ts'

const maxIdLength = 256

export function validateCsiNode({ spec }: CsiNode): FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  for (const [index, driver] of (spec?.drivers ?? []).entries()) {
    const path = `spec.drivers[${index}]`
    const { name = '', nodeID = '', allocatable } = driver
    errors.push(...validateDriverName(name, `${path}.name`))
    if (nodeID === '') errors.push(required(`${path}.nodeID`, ''))
    if (byteLength(nodeID) > maxIdLength) errors.push(invalid(`${path}.nodeID`, nodeID, `must be ${maxIdLength} characters or less`))
    addNegative(errors, allocatable?.count, `${path}.allocatable.count`)
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name))
    names.add(name)
    const keys = new Set<string>()
    for (const key of driver.topologyKeys ?? []) {
      if (key === '') errors.push(required(path, ''))
      if (keys.has(key)) errors.push(duplicate(path, key))
      keys.add(key)
      for (const message of isQualifiedName(key)) errors.push(invalid(path, key, message))
    }
  }
  return errors
}
