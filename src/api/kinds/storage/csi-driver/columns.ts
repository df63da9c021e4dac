import { ageColumn, boolean, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { CsiDriver } from '../../../types.ts'

export const csiDriverColumns = columnsOf<CsiDriver>([
  nameColumn,
  boolean('AttachRequired', 'Whether volumes have to be attached.', ({ spec }) => spec?.attachRequired ?? true),
  boolean('PodInfoOnMount', 'Whether the driver gets information about pods.', ({ spec }) => spec?.podInfoOnMount ?? false),
  boolean('StorageCapacity', 'Whether the scheduler considers capacity.', ({ spec }) => spec?.storageCapacity ?? false),
  text('TokenRequests', 'The audiences of the tokens that the driver gets.', ({ spec }) =>
    spec?.tokenRequests === undefined ? '<unset>' : spec.tokenRequests.map(({ audience }) => audience).join(','),
  ),
  boolean('RequiresRepublish', 'Whether volumes are published again and again.', ({ spec }) => spec?.requiresRepublish ?? false),
  text('Modes', 'The kinds of volumes that the driver supports.', ({ spec }) => (spec?.volumeLifecycleModes ?? []).join(',') || '<none>'),
  ageColumn,
])
