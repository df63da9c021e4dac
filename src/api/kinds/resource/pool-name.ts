// The name of a pool of devices: DNS subdomains, separated by slashes.
// Kubernetes: pkg/apis/resource/validation.validatePoolName
import { type FieldError, invalid, required, tooLong } from '../../machinery/field-error.ts'
import { byteLength, isDns1123Subdomain } from '../../machinery/validation/names.ts'

const maxPoolName = 253

export function validatePoolName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const parts = name.split('/').flatMap((part) => isDns1123Subdomain(part).map((message) => invalid(path, part, message)))
  return byteLength(name) > maxPoolName ? [tooLong(path, maxPoolName), ...parts] : parts
}
