// Kubernetes: pkg/apis/resource/validation.ValidateResourceClaimStatusUpdate, validateResourceClaimStatusUpdate, validateDeviceStatus
// Kubernetes: pkg/apis/resource/validation.validateDeviceRequestAllocationResult, validateDeviceAllocationConfiguration, validateNetworkDeviceData
// Kubernetes: k8s.io/apimachinery/pkg/api/validate.UUID, ResourcePoolName
import { isEqualJson } from '../../../../base/json.ts'
import {
  changed,
  declared,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  shownAs,
  tooLong,
  tooMany,
  typed,
} from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { interfaceAddressMessages } from '../../../machinery/validation/ip-address.ts'
import { byteLength } from '../../../machinery/validation/names.ts'
import { validateDeclaredDriverName, validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { ResourceClaim } from '../../../types.ts'
import { checkNodeSelector } from '../../core/pod/validation/affinity.ts'
import { validateBindingConditions } from '../resource-slice/device-validation.ts'
import { validateDeclaredPoolName, validateLabelName, validatePoolName } from '../shared/names.ts'
import { validateDeviceToleration } from '../shared/taints.ts'
import { requestNames, validateDeviceConfiguration, validateRawObject, validateReference, validateReferences } from './validation.ts'

type Status = NonNullable<ResourceClaim['status']>
type Allocation = NonNullable<Status['allocation']>
type Result = NonNullable<NonNullable<Allocation['devices']>['results']>[number]
interface DeviceName {
  readonly driver?: string
  readonly pool?: string
  readonly device?: string
  readonly shareID?: string
}

const maxConsumers = 256
const maxResults = 32
const maxConditions = 8
const maxData = 10 * 1024
const maxAddresses = 16
const maxConfigurations = 64
const sources = ['FromClaim', 'FromClass']

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
    if (!isEqualJson(allocation, before)) errors.push(changed('status.allocation'))
  } else if (allocation !== undefined) addAllocationErrors(errors, allocation, next.spec)
  return errors
}

function addConsumerErrors(errors: FieldError[], consumers: NonNullable<Status['reservedFor']>): void {
  const path = 'status.reservedFor'
  if (consumers.length > maxConsumers) {
    errors.push(declared(tooMany(path, consumers.length, maxConsumers)))
    return
  }
  const uids = new Set<string>()
  for (const [index, consumer] of consumers.entries()) {
    const { resource, name, uid = '' } = consumer
    const values = { resource, name, uid }
    for (const [field, value] of Object.entries(values)) if (!value) errors.push(required(`${path}[${index}].${field}`, ''))
    if (uids.has(uid)) errors.push(declared(duplicate(`${path}[${index}]`, consumer)))
    uids.add(uid)
  }
}

const idOf = ({ driver = '', pool = '', device = '', shareID }: DeviceName) =>
  `${driver}/${pool}/${device}${shareID === undefined ? '' : `/${shareID}`}`

/** As Kubernetes shows it in messages. */
const shownId = ({ driver = '', pool = '', device = '', shareID = '' }: DeviceName) =>
  goJson({ Driver: driver, Pool: pool, Device: device, ShareID: shareID })

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const validateShareId = ({ shareID }: DeviceName, path: string): FieldError[] =>
  shareID === undefined || uuid.test(shareID)
    ? []
    : [declared(invalid(`${path}.shareID`, shareID, 'must be a lowercase UUID in 8-4-4-4-12 format'))]

function addDeviceErrors(errors: FieldError[], devices: NonNullable<Status['devices']>, allocation: Allocation | undefined): void {
  const allocated = new Set((allocation?.devices?.results ?? []).map(idOf))
  const seen = new Set<string>()
  for (const [index, device] of devices.entries()) {
    const path = `status.devices[${index}]`
    const id = idOf(device)
    errors.push(...validateDriverName(device.driver ?? '', `${path}.driver`), ...validatePoolName(device.pool ?? '', `${path}.pool`))
    errors.push(...validateLabelName(device.device ?? '', `${path}.device`), ...validateShareId(device, path))
    if (!allocated.has(id)) errors.push(invalid(path, shownAs(shownId(device)), 'must be an allocated device in the claim'))
    const conditions = device.conditions ?? []
    if (conditions.length > maxConditions) errors.push(tooMany(`${path}.conditions`, conditions.length, maxConditions))
    errors.push(...validateConditions(conditions as Parameters<typeof validateConditions>[0], `${path}.conditions`))
    if (device.data !== undefined && device.data !== null) errors.push(...validateRawObject(device.data, maxData, `${path}.data`))
    addNetworkErrors(errors, device.networkData, `${path}.networkData`)
    if (seen.has(id)) errors.push(declared(duplicate(path, device)))
    seen.add(id)
  }
}

function addNetworkErrors(errors: FieldError[], network: NonNullable<Status['devices']>[number]['networkData'], path: string): void {
  const { interfaceName = '', hardwareAddress = '', ips = [] } = network ?? {}
  for (const [field, value, most] of [
    ['interfaceName', interfaceName, 256],
    ['hardwareAddress', hardwareAddress, 128],
  ] as const)
    if (byteLength(value) > most) errors.push(declared(tooLong(`${path}.${field}`, most)))
  if (ips.length > maxAddresses) {
    errors.push(declared(tooMany(`${path}.ips`, ips.length, maxAddresses)))
    return
  }
  for (const [index, address] of ips.entries()) {
    const at = `${path}.ips[${index}]`
    errors.push(...interfaceAddressMessages(address).map((message) => invalid(at, address, message)))
    if (ips.indexOf(address) < index) errors.push(declared(duplicate(at, address)))
  }
}

function addAllocationErrors(errors: FieldError[], { devices, nodeSelector }: Allocation, spec: ResourceClaim['spec']): void {
  const path = 'status.allocation.devices'
  const [results, config] = [devices?.results ?? [], devices?.config ?? []]
  const names = requestNames(spec?.devices?.requests ?? [])
  if (results.length > maxResults) errors.push(declared(tooMany(`${path}.results`, results.length, maxResults)))
  else for (const [index, result] of results.entries()) addResultErrors(errors, result, names, `${path}.results[${index}]`)
  if (config.length > maxConfigurations) errors.push(declared(tooMany(`${path}.config`, config.length, maxConfigurations)))
  else
    for (const [index, { source = '', requests = [], opaque }] of config.entries()) {
      const at = `${path}.config[${index}]`
      if (source === '') errors.push(declared(required(`${at}.source`, '')))
      else if (!sources.includes(source)) errors.push(declared(notSupported(`${at}.source`, typed(source), sources)))
      errors.push(...validateReferences(requests, names, `${at}.requests`), ...validateDeviceConfiguration(opaque, at))
    }
  if (nodeSelector !== undefined) checkNodeSelector(errors, nodeSelector, () => 'status.allocation.nodeSelector', false)
}

function addResultErrors(errors: FieldError[], result: Result, names: ReadonlySet<string>, path: string): void {
  errors.push(...validateReference(result.request ?? '', names, `${path}.request`))
  errors.push(...validateDeclaredDriverName(result.driver ?? '', `${path}.driver`))
  errors.push(...validateDeclaredPoolName(result.pool ?? '', `${path}.pool`))
  errors.push(...validateLabelName(result.device ?? '', `${path}.device`), ...validateBindingConditions(result, path))
  for (const [index, toleration] of (result.tolerations ?? []).entries())
    errors.push(...validateDeviceToleration(toleration, `${path}.tolerations[${index}]`))
  errors.push(...validateShareId(result, path))
}
