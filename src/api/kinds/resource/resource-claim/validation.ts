// Kubernetes: pkg/apis/resource/validation.ValidateResourceClaim, ValidateResourceClaimUpdate
import { isEqualJson } from '../../../../base/json.ts'
import {
  changed,
  declared,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typed,
} from '../../../machinery/field-error.ts'
import { isJsonObject } from '../../../machinery/json-object.ts'
import { byteLength, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateDeclaredDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { ResourceClaim } from '../../../types.ts'
import { validateFullyQualifiedName, validateLabelName } from '../shared/names.ts'
import { validateDeviceToleration } from '../shared/taints.ts'

export const validateResourceClaim = ({ spec }: ResourceClaim): FieldError[] => validateDeviceClaim(spec?.devices ?? {}, 'spec.devices')

/** Nothing else of the spec is validated again: it cannot change. */
export const validateResourceClaimUpdate = (next: ResourceClaim, current: ResourceClaim): FieldError[] =>
  isEqualJson(next.spec, current.spec) ? [] : [changed('spec')]

// Validation of the device requests of claims, claim templates and device classes.
// Kubernetes: pkg/apis/resource/validation.validateDeviceClaim, validateDeviceRequest, validateDeviceConstraint
// Kubernetes: pkg/apis/resource/validation.validateSelectorSlice, validateDeviceClaimConfiguration, validateDeviceConfiguration
// Kubernetes: pkg/apis/resource/validation.validateOpaqueConfiguration, validateRawExtension, validateRequestNameRef, requestNames.Has
type DeviceClaim = NonNullable<NonNullable<ResourceClaim['spec']>['devices']>
type Request = NonNullable<DeviceClaim['requests']>[number]
type Exact = NonNullable<Request['exactly']>
type Constraint = NonNullable<DeviceClaim['constraints']>[number]
type Selectors = Exact['selectors']

const maxItems = 32
const maxSubrequests = 8
const maxExpression = 10 * 1024
const maxParameters = 10 * 1024

export function validateDeviceClaim(claim: DeviceClaim, path: string): FieldError[] {
  const errors: FieldError[] = []
  const requests = claim.requests ?? []
  const names = requestNames(requests)
  addSetErrors(errors, requests, maxItems, `${path}.requests`, (request, at) => addRequestErrors(errors, request, at))
  const constraints = claim.constraints ?? []
  if (isShort(errors, constraints, maxItems, `${path}.constraints`))
    for (const [index, constraint] of constraints.entries()) addConstraintErrors(errors, constraint, names, `${path}.constraints[${index}]`)
  const config = claim.config ?? []
  if (isShort(errors, config, maxItems, `${path}.config`))
    for (const [index, { requests: of, opaque }] of config.entries()) {
      errors.push(...validateReferences(of ?? [], names, `${path}.config[${index}].requests`))
      errors.push(...validateDeviceConfiguration(opaque, `${path}.config[${index}]`))
    }
  return errors
}

/** What constraints and results may refer to: `request`, or `request/subrequest`. */
export const requestNames = (requests: readonly Request[]): ReadonlySet<string> =>
  new Set(requests.flatMap(({ name = '', firstAvailable }) => [name, ...(firstAvailable ?? []).map((one) => `${name}/${one.name ?? ''}`)]))

function addConstraintErrors(errors: FieldError[], constraint: Constraint, names: ReadonlySet<string>, path: string): void {
  const { requests, matchAttribute, distinctAttribute } = constraint
  errors.push(...validateReferences(requests ?? [], names, `${path}.requests`))
  const one = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
  for (const [field, name] of Object.entries({ matchAttribute, distinctAttribute }))
    if (name !== undefined) errors.push(...validateFullyQualifiedName(name, `${path}.${field}`))
  if (matchAttribute === undefined && distinctAttribute === undefined) errors.push(required(path, one))
}

/** Whether a list is not too long; its items are validated only then. */
function isShort(errors: FieldError[], list: readonly unknown[], most: number, path: string): boolean {
  if (list.length > most) errors.push(declared(tooMany(path, list.length, most)))
  return list.length <= most
}

/** A list whose items have different names. */
function addSetErrors<T extends { readonly name?: string }>(
  errors: FieldError[],
  list: readonly T[],
  most: number,
  path: string,
  addItemErrors: (item: T, at: string) => void,
): void {
  if (!isShort(errors, list, most, path)) return
  for (const [index, item] of list.entries())
    if (list.findIndex(({ name = '' }) => name === (item.name ?? '')) < index) errors.push(declared(duplicate(`${path}[${index}]`, item)))
  for (const [index, item] of list.entries()) addItemErrors(item, `${path}[${index}]`)
}

function addRequestErrors(errors: FieldError[], { name = '', exactly, firstAvailable }: Request, path: string): void {
  errors.push(...validateLabelName(name, `${path}.name`))
  const others = firstAvailable ?? []
  if (exactly === undefined && others.length === 0) errors.push(required(path, 'exactly one of `exactly` or `firstAvailable` is required'))
  else if (exactly !== undefined && others.length > 0)
    errors.push(invalid(path, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'))
  else if (exactly !== undefined) addExactErrors(errors, exactly, `${path}.exactly`)
  else
    addSetErrors(errors, others, maxSubrequests, `${path}.firstAvailable`, (one, at) => {
      errors.push(...validateLabelName(one.name ?? '', `${at}.name`))
      addExactErrors(errors, one, at, declared)
    })
}

/** `ofClass`: how the errors about the device class are reported. */
function addExactErrors(
  errors: FieldError[],
  request: Omit<Exact, 'adminAccess'>,
  path: string,
  ofClass: (error: FieldError) => FieldError = (error) => error,
): void {
  const { deviceClassName = '', allocationMode: mode = '', count = 0, tolerations } = request
  const className = `${path}.deviceClassName`
  if (deviceClassName === '') errors.push(ofClass(required(className, '')))
  else for (const message of isDns1123Subdomain(deviceClassName)) errors.push(ofClass(invalid(className, deviceClassName, message)))
  errors.push(...validateDeviceSelectors(request.selectors, `${path}.selectors`))
  if (mode !== 'All' && mode !== 'ExactCount')
    errors.push(declared(notSupported(`${path}.allocationMode`, typed(mode), ['All', 'ExactCount'])))
  else if (mode === 'All' && count !== 0) errors.push(invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'"))
  else if (mode === 'ExactCount' && count <= 0) errors.push(invalid(`${path}.count`, count, 'must be greater than zero'))
  for (const [index, toleration] of (tolerations ?? []).entries())
    errors.push(...validateDeviceToleration(toleration, `${path}.tolerations[${index}]`))
}

/** Whether an expression can be compiled is not checked. */
export function validateDeviceSelectors(selectors: Selectors | null, path: string): FieldError[] {
  const errors: FieldError[] = []
  const all = selectors ?? []
  if (!isShort(errors, all, maxItems, path)) return errors
  for (const [index, { cel }] of all.entries()) {
    if (cel === undefined) errors.push(required(`${path}[${index}].cel`, ''))
    else if (byteLength(cel.expression ?? '') > maxExpression) errors.push(tooLong(`${path}[${index}].cel.expression`, maxExpression))
  }
  return errors
}

export function validateDeviceConfiguration(
  opaque: { readonly driver?: string; readonly parameters?: unknown } | undefined,
  path: string,
): FieldError[] {
  if (opaque === undefined) return [required(`${path}.opaque`, '')]
  return [
    ...validateDeclaredDriverName(opaque.driver ?? '', `${path}.opaque.driver`),
    ...validateRawObject(opaque.parameters, maxParameters, `${path}.opaque.parameters`),
  ]
}

/** Free-form JSON that must be an object. */
export function validateRawObject(value: unknown, most: number, path: string): FieldError[] {
  if (value === undefined || value === null) return [required(path, '')]
  if (byteLength(JSON.stringify(value)) > most) return [tooLong(path, most)]
  return isJsonObject(value) ? [] : [invalid(path, '<value omitted>', 'must be a valid JSON object')]
}

const notRequest = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

export function validateReferences(references: readonly string[], names: ReadonlySet<string>, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (!isShort(errors, references, maxItems, path)) return errors
  for (const [index, name] of references.entries()) {
    const at = `${path}[${index}]`
    if (references.indexOf(name) < index) errors.push(declared(duplicate(at, name)))
    errors.push(...validateReference(name, names, at))
  }
  return errors
}

export function validateReference(name: string, names: ReadonlySet<string>, path: string): FieldError[] {
  const segments = name.split('/')
  if (segments.length > 2) return [invalid(path, name, notRequest)]
  return [...segments.flatMap((segment) => validateLabelName(segment, path)), ...(names.has(name) ? [] : [invalid(path, name, notRequest)])]
}
