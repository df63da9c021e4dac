import { ageColumn, columnsOf, nameColumn, shortList, text } from '../../../machinery/columns/cells.ts'
import type { Endpoints } from '../../../types.ts'

export const endpointsColumns = columnsOf<Endpoints>([nameColumn, text('Endpoints', 'The addresses and ports.', endpointsCell), ageColumn])

function endpointsCell({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
  )
  return all.length === 0 ? '' : shortList(all)
}
