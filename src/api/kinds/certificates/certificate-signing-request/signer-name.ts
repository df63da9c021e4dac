import { type FieldError, invalid, required, tooLong } from '../../../machinery/field-error.ts'
import { byteLength, isDns1123Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'

const maxDomainLength = 253
const maxLength = maxDomainLength + 253 + 63 + 2

/** `kubernetes.io/kube-apiserver-client`: a domain and a path. */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const segments = name.split('/')
  if (segments.length !== 2) return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
  const errors: FieldError[] = []
  const [domain = '', signer = ''] = segments
  const addFirst = (text: string, check: (label: string) => string[]) => {
    const wrong = text.split('.').find((label) => check(label).length > 0)
    if (wrong !== undefined)
      for (const message of check(wrong)) errors.push(invalid(path, text, `validating label ${JSON.stringify(wrong)}: ${message}`))
  }
  if (byteLength(domain) > maxDomainLength) errors.push(tooLong(path, maxDomainLength))
  addFirst(domain, isDns1123Label)
  if (!domain.includes('.')) errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'))
  addFirst(signer, isDns1123Subdomain)
  if (byteLength(name) > maxLength) errors.push(tooLong(path, maxLength))
  return errors
}
