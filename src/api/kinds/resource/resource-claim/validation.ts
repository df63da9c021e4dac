// Kubernetes: pkg/apis/resource/validation.ValidateResourceClaim, ValidateResourceClaimUpdate
import { isEqualJson } from '../../../../base/json.ts'
import {
  changed,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typed,
} from '../../../machinery/field-error.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { byteLength, isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidLabelValue } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { ResourceClaim } from '../../../types.ts'

export const validateResourceClaim = ({ spec }: ResourceClaim): FieldError[] => validateDeviceClaim(spec?.devices ?? {}, 'spec.devices')

/** As Kubernetes compares: no requests and an empty list of requests are equal. */
export const isEqualClaim = (one: ResourceClaim['spec'], other: ResourceClaim['spec']) =>
  (one?.devices?.requests ?? []).length === 0 && isEqualJson(withoutRequests(one), withoutRequests(other))

const withoutRequests = (spec: ResourceClaim['spec']) => {
  const { requests, ...devices } = spec?.devices ?? {}
  return { ...spec, devices: { ...devices, requests: requests ?? [] } }
}

export const validateResourceClaimUpdate = (next: ResourceClaim, current: ResourceClaim): FieldError[] =>
  isEqualJson(next.spec, current.spec) || isEqualClaim(next.spec, current.spec) ? [] : [changed('spec')]

// Validation of the device requests of claims, claim templates and device classes.
// Kubernetes: pkg/apis/resource/validation.validateDeviceClaim, validateDeviceRequest, validateDeviceConstraint
// Kubernetes: pkg/apis/resource/validation.validateDeviceToleration, validateSelectorSlice, validateDeviceClaimConfiguration
// Kubernetes: pkg/apis/resource/validation.validateDeviceConfiguration, validateRequestNameRef, validateFullyQualifiedName
type DeviceClaim = NonNullable<NonNullable<ResourceClaim['spec']>['devices']>
type Request = NonNullable<DeviceClaim['requests']>[number]
type Exact = NonNullable<Request['exactly']>
type Selectors = Exact['selectors']
type Toleration = NonNullable<Exact['tolerations']>[number]

const maxItems = 32
const maxSubrequests = 8
const maxExpression = 10 * 1024
const maxParameters = 10 * 1024

export function validateDeviceClaim(claim: DeviceClaim, path: string): FieldError[] {
  const errors: FieldError[] = []
  const requests = claim.requests ?? []
  const names = new Set(
    requests.flatMap(({ name, firstAvailable }) => [name, ...(firstAvailable ?? []).map((one) => `${name}/${one.name}`)]),
  )
  addListErrors(errors, requests, maxItems, `${path}.requests`)
  for (const [index, request] of requests.entries()) addRequestErrors(errors, request, `${path}.requests[${index}]`)
  for (const [index, { requests: of, matchAttribute, distinctAttribute }] of (claim.constraints ?? []).entries()) {
    const at = `${path}.constraints[${index}]`
    addReferences(errors, of ?? [], names, `${at}.requests`)
    if (matchAttribute !== undefined) addAttributeErrors(errors, matchAttribute, `${at}.matchAttribute`)
    else if (distinctAttribute !== undefined) {
      if (distinctAttribute === '') errors.push(required(`${at}.distinctAttribute`, ''))
      else if (!distinctAttribute.includes('/'))
        errors.push(
          invalid(`${at}.distinctAttribute`, distinctAttribute, 'a fully qualified name must be a domain and a name separated by a slash'),
        )
    } else errors.push(required(at, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'))
  }
  for (const [index, { requests: of, opaque }] of (claim.config ?? []).entries()) {
    addReferences(errors, of ?? [], names, `${path}.config[${index}].requests`)
    errors.push(...validateDeviceConfiguration(opaque, `${path}.config[${index}]`))
  }
  return errors
}

/** Names that occur twice, and lists that are too long. */
function addListErrors(errors: FieldError[], list: readonly { readonly name?: string }[], most: number, path: string): void {
  if (list.length > most) errors.push(tooMany(path, list.length, most))
  const names = new Set<string>()
  for (const [index, { name = '' }] of list.entries()) {
    if (names.has(name)) errors.push(duplicate(`${path}[${index}]`, name))
    names.add(name)
  }
}

function addRequestErrors(errors: FieldError[], { name = '', exactly, firstAvailable }: Request, path: string): void {
  addNameErrors(errors, name, `${path}.name`)
  const others = firstAvailable ?? []
  if (exactly === undefined && others.length === 0) errors.push(required(path, 'exactly one of `exactly` or `firstAvailable` is required'))
  else if (exactly !== undefined && others.length > 0)
    errors.push(invalid(path, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'))
  else if (exactly !== undefined) addExactErrors(errors, exactly, `${path}.exactly`)
  else {
    addListErrors(errors, others, maxSubrequests, `${path}.firstAvailable`)
    for (const [index, one] of others.entries()) {
      addNameErrors(errors, one.name ?? '', `${path}.firstAvailable[${index}].name`)
      addExactErrors(errors, one, `${path}.firstAvailable[${index}]`)
    }
  }
}

function addNameErrors(errors: FieldError[], name: string, path: string): void {
  for (const message of isDns1123Label(name)) errors.push(invalid(path, name, message))
}

function addExactErrors(errors: FieldError[], request: Omit<Exact, 'adminAccess'>, path: string): void {
  const { deviceClassName = '', allocationMode: mode = '', count = 0, tolerations } = request
  if (deviceClassName === '') errors.push(required(`${path}.deviceClassName`, ''))
  else for (const message of isDns1123Subdomain(deviceClassName)) errors.push(invalid(`${path}.deviceClassName`, deviceClassName, message))
  errors.push(...validateDeviceSelectors(request.selectors, `${path}.selectors`))
  if (mode !== 'All' && mode !== 'ExactCount') errors.push(notSupported(`${path}.allocationMode`, typed(mode), ['All', 'ExactCount']))
  else if (mode === 'All' && count !== 0) errors.push(invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'"))
  else if (mode === 'ExactCount' && count <= 0) errors.push(invalid(`${path}.count`, count, 'must be greater than zero'))
  for (const [index, toleration] of (tolerations ?? []).entries()) addTolerationErrors(errors, toleration, `${path}.tolerations[${index}]`)
}

function addTolerationErrors(errors: FieldError[], { key = '', operator = '', value = '', effect = '' }: Toleration, path: string): void {
  if (key !== '') for (const message of isQualifiedName(key)) errors.push(invalid(`${path}.key`, key, message))
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalid(`${path}.value`, value, 'must be empty for operator `Exists`'))
  } else if (operator === 'Equal' || operator === '')
    for (const message of isValidLabelValue(value)) errors.push(invalid(`${path}.value`, value, message))
  else errors.push(notSupported(`${path}.operator`, typed(operator), ['Equal', 'Exists']))
  if (effect !== '') addUnsupported(errors, effect, 'resource.DeviceToleration.effect', `${path}.effect`)
}

/** Whether an expression can be compiled is not checked. */
export function validateDeviceSelectors(selectors: Selectors | null, path: string): FieldError[] {
  const errors: FieldError[] = []
  const all = selectors ?? []
  if (all.length > maxItems) errors.push(tooMany(path, all.length, maxItems))
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
  const errors = validateDriverName(opaque.driver ?? '', `${path}.opaque.driver`)
  const { parameters } = opaque
  if (parameters === undefined || parameters === null) errors.push(required(`${path}.opaque.parameters`, ''))
  else if (byteLength(JSON.stringify(parameters)) > maxParameters) errors.push(tooLong(`${path}.opaque.parameters`, maxParameters))
  return errors
}

const notRequest = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

function addReferences(errors: FieldError[], references: readonly string[], names: ReadonlySet<string>, path: string): void {
  if (references.length > maxItems) errors.push(tooMany(path, references.length, maxItems))
  for (const [index, name] of references.entries()) {
    const at = `${path}[${index}]`
    if (references.indexOf(name) < index) errors.push(duplicate(at, name))
    const segments = name.split('/')
    if (segments.length > 2) {
      errors.push(invalid(at, name, notRequest))
      continue
    }
    for (const segment of segments) addNameErrors(errors, segment, at)
    if (!names.has(name)) errors.push(invalid(at, name, notRequest))
  }
}

function addAttributeErrors(errors: FieldError[], name: string, path: string): void {
  if (name === '') errors.push(required(path, ''))
  else if (!name.includes('/')) errors.push(invalid(path, name, 'must include the domain'))
}
