import { ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { IpAddress } from '../../../types.ts'

/** Kubernetes has a third cell, the age, and no definition for it. */
export const ipAddressColumns: Columns<IpAddress> = {
  definitions: [nameColumn, text('ParentRef', 'The object that the address is allocated to.')],
  cells: (object, nowMs) => [nameOf(object), parentCell(object), ageOf(object, nowMs)],
}

function parentCell({ spec }: IpAddress): string {
  const parent = spec?.parentRef
  if (parent === undefined) return '<none>'
  const { group, resource, namespace, name } = parent
  const parts = [(group ? `${resource}.${group}` : (resource ?? '')).toLowerCase(), ...(namespace ? [namespace] : []), name ?? '']
  return parts.join('/')
}
