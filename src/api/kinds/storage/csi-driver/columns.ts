import { ageColumn, ageOf, boolean, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { CsiDriver } from '../../../types.ts'

export const csiDriverColumns: Columns<CsiDriver> = {
  definitions: [
    nameColumn,
    boolean('AttachRequired', 'Whether volumes have to be attached.'),
    boolean('PodInfoOnMount', 'Whether the driver gets information about pods.'),
    boolean('StorageCapacity', 'Whether the scheduler considers capacity.'),
    text('TokenRequests', 'The audiences of the tokens that the driver gets.'),
    boolean('RequiresRepublish', 'Whether volumes are published again and again.'),
    text('Modes', 'The kinds of volumes that the driver supports.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    object.spec?.attachRequired ?? true,
    object.spec?.podInfoOnMount ?? false,
    object.spec?.storageCapacity ?? false,
    object.spec?.tokenRequests === undefined ? '<unset>' : object.spec.tokenRequests.map(({ audience }) => audience).join(','),
    object.spec?.requiresRepublish ?? false,
    (object.spec?.volumeLifecycleModes ?? []).join(',') || '<none>',
    ageOf(object, nowMs),
  ],
}
