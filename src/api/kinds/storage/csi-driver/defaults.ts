import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { CsiDriver, Writable } from '../../../types.ts'

export function defaultCsiDriver(driver: Writable<CsiDriver>): void {
  if (driver.spec === undefined) return
  const spec = fill('storage.CSIDriverSpec', driver.spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  })
  driver.spec =
    (spec.volumeLifecycleModes ?? []).length > 0
      ? spec
      : replaceFields('storage.CSIDriverSpec', spec, { volumeLifecycleModes: ['Persistent'] })
}
