// Kubernetes: pkg/registry/resource/deviceclass.deviceClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printDeviceClass
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { DeviceClass } from '../../../types.ts'
import { validateDeviceClass } from './validation.ts'

export const deviceClasses: Kind<DeviceClass> = {
  ...resource('resource.DeviceClass'),
  strategy: {
    names: 'long-name',
    generation: true,
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateDeviceClass,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}
