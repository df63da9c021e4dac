import { nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { CsiStorageCapacity } from '../../../types.ts'

export const csiStorageCapacityColumns: Columns<CsiStorageCapacity> = {
  definitions: [nameColumn, text('StorageClassName', 'The class that has the capacity.'), text('Capacity', 'How much is left.')],
  cells: (object) => [nameOf(object), object.storageClassName ?? '', object.capacity ?? '<unset>'],
}
