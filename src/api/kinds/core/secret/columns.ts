import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Secret } from '../../../types.ts'

export const secretColumns: Columns<Secret> = {
  definitions: [nameColumn, text('Type', 'What kind of secret it is.'), text('Data', 'How many entries it has.'), ageColumn],
  cells: (secret, nowMs) => [nameOf(secret), secret.type ?? '', Object.keys(secret.data ?? {}).length, ageOf(secret, nowMs)],
}
