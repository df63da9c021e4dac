// Kubernetes: pkg/apis/resource/validation.ValidateResourceClaimStatusUpdate
import { isEqualJson } from '../../../../base/json.ts'
import { duplicate, type FieldError, forbidden, invalid, required, shownAs, tooMany } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Label } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { ResourceClaim } from '../../../types.ts'
import { checkNodeSelector } from '../../core/pod/validation/affinity.ts'
import { validatePoolName } from '../resource-slice/validation.ts'

type Status = NonNullable<ResourceClaim['status']>
type Allocation = NonNullable<Status['allocation']>
interface DeviceName {
  readonly driver?: string
  readonly pool?: string
  readonly device?: string
  readonly shareID?: string
}

const maxConsumers = 256
const maxResults = 32
const maxConditions = 8

export function validateResourceClaimStatusUpdate(next: ResourceClaim, current: ResourceClaim): FieldError[] {
  const { status } = next
  const { reservedFor, devices, allocation } = { ...status, reservedFor: status?.reservedFor ?? [], devices: status?.devices ?? [] }
  const before = current.status?.allocation
  const errors: FieldError[] = []
  addConsumerErrors(errors, reservedFor)
  addDeviceErrors(errors, devices, allocation)
  if (reservedFor.length > 0) {
    const known = new Set((current.status?.reservedFor ?? []).map((one) => JSON.stringify(one)))
    if (allocation === undefined) errors.push(forbidden('status.reservedFor', 'may not be specified when `allocated` is not set'))
    else if (next.metadata?.deletionTimestamp && reservedFor.some((one) => !known.has(JSON.stringify(one))))
      errors.push(
        forbidden('status.reservedFor', 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'),
      )
  }
  if (allocation !== undefined && before !== undefined) {
    if (!isEqualJson(allocation, before))
      errors.push(invalid('status.allocation', shownStruct('resource.AllocationResult', allocation), immutableMessage))
  } else if (allocation !== undefined) addAllocationErrors(errors, allocation, next.spec)
  return errors
}

function addConsumerErrors(errors: FieldError[], consumers: NonNullable<Status['reservedFor']>): void {
  const path = 'status.reservedFor'
  if (consumers.length > maxConsumers) errors.push(tooMany(path, consumers.length, maxConsumers))
  const uids = new Set<string>()
  for (const [index, { resource, name, uid = '' }] of consumers.entries()) {
    const values = { resource, name, uid }
    for (const [field, value] of Object.entries(values)) if (!value) errors.push(required(`${path}[${index}].${field}`, ''))
    if (uids.has(uid)) errors.push(duplicate(`${path}[${index}]`, uid))
    uids.add(uid)
  }
}

const idOf = ({ driver = '', pool = '', device = '', shareID }: DeviceName) =>
  `${driver}/${pool}/${device}${shareID === undefined ? '' : `/${shareID}`}`

/** As Kubernetes shows it in messages. */
const shownId = ({ driver = '', pool = '', device = '', shareID = '' }: DeviceName) =>
  goJson({ Driver: driver, Pool: pool, Device: device, ShareID: shareID })

function addNameErrors(errors: FieldError[], { driver = '', pool = '', device = '' }: DeviceName, path: string): void {
  errors.push(...validateDriverName(driver, `${path}.driver`), ...validatePoolName(pool, `${path}.pool`))
  for (const message of isDns1123Label(device)) errors.push(invalid(`${path}.device`, device, message))
}

function addDeviceErrors(errors: FieldError[], devices: NonNullable<Status['devices']>, allocation: Allocation | undefined): void {
  const allocated = new Set((allocation?.devices?.results ?? []).map(idOf))
  const seen = new Set<string>()
  for (const [index, device] of devices.entries()) {
    const path = `status.devices[${index}]`
    const id = idOf(device)
    addNameErrors(errors, device, path)
    if (!allocated.has(id)) errors.push(invalid(path, shownAs(shownId(device)), 'must be an allocated device in the claim'))
    const conditions = device.conditions ?? []
    if (conditions.length > maxConditions) errors.push(tooMany(`${path}.conditions`, conditions.length, maxConditions))
    errors.push(...validateConditions(conditions as Parameters<typeof validateConditions>[0], `${path}.conditions`))
    if (seen.has(id)) errors.push(duplicate(path, id))
    seen.add(id)
  }
}

function addAllocationErrors(errors: FieldError[], { devices, nodeSelector }: Allocation, spec: ResourceClaim['spec']): void {
  const path = 'status.allocation.devices.results'
  const results = devices?.results ?? []
  const names = new Set(
    (spec?.devices?.requests ?? []).flatMap(({ name, firstAvailable }) =>
      firstAvailable?.length ? firstAvailable.map((one) => `${name}/${one.name}`) : [name],
    ),
  )
  if (results.length > maxResults) errors.push(tooMany(path, results.length, maxResults))
  for (const [index, result] of results.entries()) {
    const { request = '' } = result
    if (!names.has(request))
      errors.push(
        invalid(
          `${path}[${index}].request`,
          request,
          "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
        ),
      )
    addNameErrors(errors, result, `${path}[${index}]`)
  }
  if (nodeSelector !== undefined) checkNodeSelector(errors, nodeSelector, () => 'status.allocation.nodeSelector', false)
}
