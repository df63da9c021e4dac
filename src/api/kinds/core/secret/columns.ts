import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Secret } from '../../../types.ts'

export const secretColumns = columnsOf<Secret>([
  nameColumn,
  text('Type', 'What kind of secret it is.', ({ type }) => type ?? ''),
  text('Data', 'How many entries it has.', ({ data }) => Object.keys(data ?? {}).length),
  ageColumn,
])
