import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ResourceClaim } from '../../../types.ts'

export const resourceClaimColumns = columnsOf<ResourceClaim>([
  nameColumn,
  text('State', 'Whether it is pending, allocated, reserved or deleted.', stateCell),
  ageColumn,
])

function stateCell({ metadata, status }: ResourceClaim): string {
  const states = [
    ...(metadata?.deletionTimestamp ? ['deleted'] : []),
    ...(status?.allocation === undefined ? (metadata?.deletionTimestamp ? [] : ['pending']) : ['allocated']),
    ...((status?.reservedFor ?? []).length > 0 ? ['reserved'] : []),
  ]
  return states.join(',')
}
