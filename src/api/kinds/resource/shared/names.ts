// The names of pools, attributes, capacities and counters of devices.
// Kubernetes: pkg/apis/resource/validation.validatePoolName, validateQualifiedName, validateCIdentifier, validateMap
// Kubernetes: k8s.io/apimachinery/pkg/api/validate.ResourceFullyQualifiedName, ResourcePoolName
import { declared, type FieldError, invalid, required, tooLong, tooMany } from '../../../machinery/field-error.ts'
import { byteLength, isDns1123Label, isDns1123Subdomain, patternMessage } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'

const maxPoolName = 253
const maxIdentifier = 32
const maxDomain = 63
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const identifierMessage = patternMessage(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  '[A-Za-z_][A-Za-z0-9_]*',
  'my_name',
  'MY_NAME',
  'MyName',
)

/** DNS subdomains, separated by slashes. */
export function validatePoolName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const parts = name.split('/').flatMap((part) => isDns1123Subdomain(part).map((message) => invalid(path, part, message)))
  return byteLength(name) > maxPoolName ? [tooLong(path, maxPoolName), ...parts] : parts
}

/** The same, where Kubernetes declares the rule at the type. */
export function validateDeclaredPoolName(name: string, path: string): FieldError[] {
  if (name === '') return [declared(required(path, ''))]
  const ofSegment = (part: string, index: number) =>
    part === ''
      ? [invalid(path, name, `segment ${index}: must not be empty`)]
      : isDns1123Subdomain(part).map((message) => invalid(path, part, `segment ${index}: ${message}`))
  return [...(byteLength(name) > maxPoolName ? [tooLong(path, maxPoolName)] : []), ...name.split('/').flatMap(ofSegment)].map(declared)
}

export const validateLabelName = (name: string, path: string): FieldError[] =>
  isDns1123Label(name).map((message) => invalid(path, name, message))

const validateIdentifier = (name: string, path: string): FieldError[] => [
  ...(byteLength(name) > maxIdentifier ? [tooLong(path, maxIdentifier)] : []),
  ...(identifier.test(name) ? [] : [invalid(path, name, identifierMessage)]),
]

/** `model`, `example.org/model`. A name with two slashes passes, as in Kubernetes. */
export function validateQualifiedName(name: string, path: string): FieldError[] {
  const [domain = '', own, ...more] = name.split('/')
  if (own === undefined) return validateIdentifier(domain, path)
  if (more.length > 0) return []
  return [
    ...(domain === '' ? [invalid(path, '', 'the domain must not be empty')] : validateDriverName(domain, path)),
    ...(own === '' ? [invalid(path, '', 'the name must not be empty')] : validateIdentifier(own, path)),
  ]
}

/** `example.org/model`: the domain is required. */
export function validateFullyQualifiedName(name: string, path: string): FieldError[] {
  const [domain = '', own, ...more] = name.split('/')
  if (own === undefined)
    return [
      ...validateIdentifier(domain, path),
      invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash'),
    ].map(declared)
  if (more.length > 0) return []
  const ofDomain = isDns1123Subdomain(domain).map((message) => invalid(path, domain, `prefix: ${message}`))
  return [
    ...(byteLength(domain) > maxDomain ? [tooLong(path, maxDomain)] : []),
    ...(domain === '' ? [invalid(path, '', 'prefix must not be empty')] : ofDomain),
    ...(own === '' ? [invalid(path, '', 'name must not be empty')] : validateIdentifier(own, path)),
  ].map(declared)
}

/** `path[key]`; a key above `most` bytes loses its middle. */
export function keyPath(path: string, key: string, most: number): string {
  if (key.length <= most) return `${path}[${key}]`
  const kept = most - 3
  return `${path}[${key.slice(0, Math.floor((kept + 1) / 2))}...${key.slice(key.length - Math.floor(kept / 2))}]`
}

export const maxAttributeKey = maxDomain + 1 + maxIdentifier

/** Counters by their names. */
export function validateCounters(counters: Readonly<Record<string, unknown>> | null, most: number, path: string): FieldError[] {
  const names = Object.keys(counters ?? {})
  if (names.length === 0) return [declared(required(path, ''))]
  if (names.length > most) return [tooMany(path, names.length, most)]
  return names.flatMap((name) => validateLabelName(name, path)).map(declared)
}
