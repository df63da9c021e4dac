import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ResourceClaim } from '../../../types.ts'

export const resourceClaimColumns: Columns<ResourceClaim> = {
  definitions: [nameColumn, text('State', 'Whether it is pending, allocated, reserved or deleted.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), stateCell(object), ageOf(object, nowMs)],
}

function stateCell({ metadata, status }: ResourceClaim): string {
  const states = [
    ...(metadata?.deletionTimestamp ? ['deleted'] : []),
    ...(status?.allocation === undefined ? (metadata?.deletionTimestamp ? [] : ['pending']) : ['allocated']),
    ...((status?.reservedFor ?? []).length > 0 ? ['reserved'] : []),
  ]
  return states.join(',')
}
