import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { IpAddress } from '../../../types.ts'

const all = columnsOf<IpAddress>([nameColumn, text('ParentRef', 'The object that the address is allocated to.', parentCell), ageColumn])

/** Kubernetes has a third cell, the age, and no definition for it. */
export const ipAddressColumns = { ...all, definitions: all.definitions.slice(0, 2) }

function parentCell({ spec }: IpAddress): string {
  const parent = spec?.parentRef
  if (parent === undefined) return '<none>'
  const { group, resource, namespace, name } = parent
  const parts = [(group ? `${resource}.${group}` : (resource ?? '')).toLowerCase(), ...(namespace ? [namespace] : []), name ?? '']
  return parts.join('/')
}
