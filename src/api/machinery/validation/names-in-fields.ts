// Names whose faults lie in a part of them, so that the error shows that part and not the whole.
import { type FieldError, invalid, required } from '../field-error.ts'
import { isDns1123Label, isDns1123Subdomain, isHttpPath, isQualifiedName } from './names.ts'

const joined = (messages: readonly string[]) => messages.join(',')

/** At least two labels; a dot at the end is accepted. */
export function validateFullyQualifiedDomainName(value: string, path: string): FieldError[] {
  if (value === '') return [required(path, '')]
  const name = value.endsWith('.') ? value.slice(0, -1) : value
  const messages = isDns1123Subdomain(name)
  if (messages.length > 0) return [invalid(path, name, joined(messages))]
  const labels = name.split('.')
  if (labels.length < 2) return [invalid(path, name, 'should be a domain with at least two segments separated by dots')]
  for (const label of labels) {
    const wrong = isDns1123Label(label)
    if (wrong.length > 0) return [invalid(path, label, joined(wrong))]
  }
  return []
}

/** `acme.io/foo`: a subdomain, a slash and a URL path. */
export function validateDomainPrefixedPath(value: string, path: string): FieldError[] {
  if (value === '') return [required(path, '')]
  const slash = value.indexOf('/')
  const host = value.slice(0, slash)
  const rest = value.slice(slash + 1)
  if (slash < 0 || host === '' || rest === '') return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  return [
    ...isDns1123Subdomain(host).map((message) => invalid(path, host, message)),
    ...isHttpPath(rest).map((message) => invalid(path, rest, message)),
  ]
}

/** `acme.io/foo`: a label key that must have its prefix. */
export function validateDomainPrefixedKey(value: string, path: string): FieldError[] {
  if (value === '') return [required(path, '')]
  const messages = isQualifiedName(value)
  if (messages.length > 0) return messages.map((message) => invalid(path, value, message))
  if (!value.includes('/')) return [invalid(path, value, 'must be a domain-prefixed key (such as "acme.io/foo")')]
  return []
}
