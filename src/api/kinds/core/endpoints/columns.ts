import { ageColumn, ageOf, nameColumn, nameOf, shortList, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Endpoints } from '../../../types.ts'

export const endpointsColumns: Columns<Endpoints> = {
  definitions: [nameColumn, text('Endpoints', 'The addresses and ports.'), ageColumn],
  cells(endpoints, nowMs) {
    const all = (endpoints.subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip }) => ip)
        : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
    )
    return [
      nameOf(endpoints),
      (endpoints.subsets ?? []).length === 0 ? '<none>' : all.length === 0 ? '' : shortList(all),
      ageOf(endpoints, nowMs),
    ]
  },
}
