// Kubernetes: pkg/registry/resource/resourceslice.resourceSliceStrategy.*, toSelectableFields
// Kubernetes: pkg/apis/resource/v1.SetDefaults_DeviceTaint
// Kubernetes: pkg/printers/internalversion.printResourceSlice
import { formatTime } from '../../../../base/clock.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { fill } from '../../../machinery/fields.ts'
import { goQuote } from '../../../machinery/go-text.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ResourceSlice } from '../../../types.ts'
import { validateResourceSlice, validateResourceSliceUpdate } from './validation.ts'

export const resourceSlices: Kind<ResourceSlice> = {
  ...resource('resource.ResourceSlice'),
  strategy: {
    generation: true,
    default({ spec }, { nowMs }) {
      for (const device of spec?.devices ?? [])
        if (device.taints)
          device.taints = device.taints.map((taint) => fill('resource.DeviceTaint', taint, { timeAdded: formatTime(nowMs) }))
    },
    warnings: ({ spec: { driver = '' } = {} as Partial<ResourceSlice['spec']> }) =>
      driver === driver.toLowerCase()
        ? []
        : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`],
    validate: validateResourceSlice,
    validateUpdate: validateResourceSliceUpdate,
  },
  selectableFields: { 'spec.driver': ({ spec }) => spec?.driver ?? '', 'spec.nodeName': ({ spec }) => spec?.nodeName ?? '' },
  unknownFieldMessage: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  columns: columnsOf([
    nameColumn,
    text('Node', 'The node that has the devices.', ({ spec }) => spec?.nodeName ?? ''),
    text('Driver', 'The driver of the devices.', ({ spec }) => spec?.driver ?? ''),
    text('Pool', 'The pool that the slice belongs to.', ({ spec }) => spec?.pool?.name ?? ''),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}
