// Kubernetes: pkg/registry/storage/csidriver.csiDriverStrategy.*
// Kubernetes: pkg/printers/internalversion.printCSIDriver
// Kubernetes: pkg/apis/storage/v1.SetDefaults_CSIDriver
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, boolean, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { duplicate, type FieldError, invalid } from '../../../machinery/field-error.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { CsiDriver, Writable } from '../../../types.ts'

export const csiDrivers: Kind<CsiDriver> = {
  ...resource('storage.CSIDriver'),
  strategy: {
    unconditionalUpdate: false,
    warnings: tokenWarnings,
    default: defaultCsiDriver,
    validate: validateCsiDriver,
    validateUpdate: validateCsiDriverUpdate,
    // Unlike other kinds, a new object has none.
    prepareForUpdate(next, current) {
      const { generation = 0 } = current.metadata ?? {}
      if (!isEqualJson(next.spec, current.spec)) next.metadata = { ...next.metadata, generation: generation + 1 }
    },
  },
  columns: columnsOf([
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
  ]),
  returnsDeletedObject: true,
}

/** Where tokens are requested, or others than before. */
function tokenWarnings({ spec }: CsiDriver, current: CsiDriver | undefined): string[] {
  const requested = spec?.tokenRequests ?? []
  const isNew = requested.length > 0 && !isEqualJson(requested, current?.spec?.tokenRequests)
  if (!isNew || spec?.serviceAccountTokenInSecrets !== undefined) return []
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ]
}

function defaultCsiDriver(driver: Writable<CsiDriver>): void {
  if (driver.spec === undefined) return
  const spec = fill('storage.CSIDriverSpec', driver.spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
    preventPodSchedulingIfMissing: false,
  })
  driver.spec =
    (spec.volumeLifecycleModes ?? []).length > 0
      ? spec
      : replaceFields('storage.CSIDriverSpec', spec, { volumeLifecycleModes: ['Persistent'] })
}

// Kubernetes: pkg/apis/storage/validation.ValidateCSIDriver, ValidateCSIDriverUpdate
const minSeconds = 600
const maxSeconds = 2 ** 32

export function validateCsiDriver({ spec }: CsiDriver): FieldError[] {
  const errors: FieldError[] = []
  addUnsupported(errors, spec?.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy')
  const audiences = new Set<string>()
  for (const [index, { audience = '', expirationSeconds: seconds }] of (spec?.tokenRequests ?? []).entries()) {
    const path = `spec.tokenRequests[${index}]`
    if (audiences.has(audience)) {
      errors.push(duplicate(`${path}.audience`, audience))
      continue
    }
    audiences.add(audience)
    if (seconds === undefined) continue
    if (seconds < minSeconds) errors.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'))
    if (seconds > maxSeconds)
      errors.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'))
  }
  for (const mode of spec?.volumeLifecycleModes ?? [])
    addUnsupported(errors, mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes')
  const period = spec?.nodeAllocatableUpdatePeriodSeconds
  if (period !== undefined && period < 10)
    errors.push(invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds'))
  const inSecrets = spec?.serviceAccountTokenInSecrets
  if (inSecrets !== undefined && !spec?.tokenRequests?.length)
    errors.push(
      invalid('spec.serviceAccountTokenInSecrets', inSecrets, 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'),
    )
  return errors
}

export function validateCsiDriverUpdate(next: CsiDriver, current: CsiDriver): FieldError[] {
  const errors = validateCsiDriver(next)
  const { attachRequired, volumeLifecycleModes } = next.spec ?? {}
  // The path of this field is Kubernetes' own.
  if (attachRequired !== current.spec?.attachRequired) errors.push(invalid('spec.attachedRequired', attachRequired, immutableMessage))
  if (!isEqualJson(volumeLifecycleModes, current.spec?.volumeLifecycleModes))
    errors.push(invalid('spec.volumeLifecycleModes', volumeLifecycleModes, immutableMessage))
  return errors
}
