import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { RuntimeClass } from '../../../types.ts'

export const runtimeClassColumns: Columns<RuntimeClass> = {
  definitions: [nameColumn, text('Handler', 'The configuration of the container runtime that it names.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), object.handler ?? '', ageOf(object, nowMs)],
}
