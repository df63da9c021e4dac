import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ConfigMap } from '../../../types.ts'

export const configMapColumns: Columns<ConfigMap> = {
  definitions: [nameColumn, text('Data', 'How many entries it has.'), ageColumn],
  cells: (map, nowMs) => [nameOf(map), Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length, ageOf(map, nowMs)],
}
