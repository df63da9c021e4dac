// Kubernetes: pkg/registry/storage/csinode.csiNodeStrategy.*
// Kubernetes: pkg/printers/internalversion.printCSINode
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, integer, nameColumn } from '../../../machinery/columns/cells.ts'
import { duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { byteLength, isQualifiedName } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { CsiNode } from '../../../types.ts'

export const csiNodes: Kind<CsiNode> = {
  ...resource('storage.CSINode'),
  strategy: {
    ...ownStatus('storage.CSINodeStatus'),
    unconditionalUpdate: false,
    metadata: { onUpdate: ['as new'] },
    validate: validateCsiNode,
    validateUpdate: validateCsiNodeUpdate,
  },
  columns: columnsOf([
    nameColumn,
    integer('Drivers', 'How many drivers the node has.', ({ spec }) => (spec?.drivers ?? []).length),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

// Kubernetes: pkg/apis/storage/validation.ValidateCSINode, ValidateCSINodeUpdate
const maxIdLength = 256

function validateCsiNode({ spec }: CsiNode): FieldError[] {
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

type Driver = NonNullable<NonNullable<CsiNode['spec']>['drivers']>[number]

/** A driver of the node keeps all but its allocatable count. */
export function validateCsiNodeUpdate(next: CsiNode, current: CsiNode): FieldError[] {
  const errors = validateCsiNode(next)
  for (const old of current.spec?.drivers ?? [])
    for (const driver of next.spec?.drivers ?? []) {
      if (driver.name !== old.name || isEqualJson(identityOf(driver), identityOf(old))) continue
      errors.push(invalid('spec.drivers', shownStruct('storage.CSINodeDriver', { ...driver, allocatable: undefined }), immutableMessage))
    }
  return errors
}

const identityOf = ({ nodeID, topologyKeys }: Driver) => ({ nodeID, topologyKeys: topologyKeys ?? [] })
