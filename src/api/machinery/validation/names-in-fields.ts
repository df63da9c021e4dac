// Names whose faults lie in a part of them, so that the error shows that part and not the whole.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation.IsFullyQualifiedName, IsDomainPrefixedKey, IsDomainPrefixedPath
// Kubernetes: pkg/apis/core/validation.ValidateQualifiedName, ValidateCSIDriverName
// Kubernetes: k8s.io/apimachinery/pkg/api/validate.LongNameCaseless
import { declared, type FieldError, invalid, required, tooLong } from '../field-error.ts'
import { goQuote } from '../go-text.ts'
import { isCaselessSubdomain, isDns1123Label, isDns1123Subdomain, isHttpPath, isLongerThan, isQualifiedName } from './names.ts'

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

/** `kubernetes.io/kube-apiserver-client`: a domain and a path. */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const [domain = '', signer, ...more] = name.split('/')
  if (signer === undefined || more.length > 0)
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
  const ofFirstWrong = (text: string, check: (label: string) => string[]) => {
    const wrong = text.split('.').find((label) => check(label).length > 0)
    return wrong === undefined ? [] : check(wrong).map((message) => invalid(path, text, `validating label ${goQuote(wrong)}: ${message}`))
  }
  return [
    ...(isLongerThan(domain, 253) ? [tooLong(path, 253)] : []),
    ...ofFirstWrong(domain, isDns1123Label),
    ...(domain.includes('.') ? [] : [invalid(path, domain, 'should be a domain with at least two segments separated by dots')]),
    ...ofFirstWrong(signer, isDns1123Subdomain),
    ...(isLongerThan(name, 571) ? [tooLong(path, 571)] : []),
  ]
}

/** The name of a CSI driver, which may have upper case letters. */
export function validateDriverName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const messages = isDns1123Subdomain(name.toLowerCase()).map((message) => invalid(path, name, message))
  return isLongerThan(name, 63) ? [tooLong(path, 63), ...messages] : messages
}

/** The same, where Kubernetes declares the rule at the type. */
export const validateDeclaredDriverName = (name: string, path: string): FieldError[] =>
  name === ''
    ? [declared(required(path, ''))]
    : [
        ...isCaselessSubdomain(name).map((message) => declared(invalid(path, name, message))),
        ...(isLongerThan(name, 63) ? [declared({ ...tooLong(path, 63), detail: 'may not be more than 63 characters' })] : []),
      ]
