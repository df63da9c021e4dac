import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ConfigMap } from '../../../types.ts'

export const configMapColumns = columnsOf<ConfigMap>([
  nameColumn,
  text('Data', 'How many entries it has.', ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length),
  ageColumn,
])
