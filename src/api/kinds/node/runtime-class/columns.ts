import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { RuntimeClass } from '../../../types.ts'

export const runtimeClassColumns = columnsOf<RuntimeClass>([
  nameColumn,
  text('Handler', 'The configuration of the container runtime that it names.', ({ handler }) => handler ?? ''),
  ageColumn,
])
