// Kubernetes: pkg/apis/core/validation.ValidateSecret, ValidateSecretUpdate
import { DecodeError } from '../../../machinery/decode/decode-error.ts'
import { parseJson } from '../../../machinery/decode/json.ts'
import { type FieldError, invalid, required, tooLong, typed } from '../../../machinery/field-error.ts'
import { addFrozenErrors, addKeyErrors, decodedLength, maxBytes, type Texts } from '../../../machinery/validation/data-fields.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { Secret } from '../../../types.ts'

export function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = []
  const { data = {} } = secret
  addKeyErrors(errors, data, 'data')
  let bytes = 0
  for (const value of Object.values(data)) bytes += decodedLength(value)
  if (bytes > maxBytes) errors.push(tooLong('data', maxBytes))
  addTypeErrors(errors, secret, data)
  return errors
}

/** What each of Kubernetes' own types of Secret must hold. */
function addTypeErrors(errors: FieldError[], { type, metadata }: Secret, data: Texts): void {
  const has = (key: string) => Object.hasOwn(data, key)
  const missing = (key: string) => errors.push(required(`data[${key}]`, ''))
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if (!metadata?.annotations?.['kubernetes.io/service-account.name'])
        errors.push(required('metadata.annotations[kubernetes.io/service-account.name]', ''))
      return
    case 'kubernetes.io/dockercfg':
      addJsonErrors(errors, data, '.dockercfg')
      return
    case 'kubernetes.io/dockerconfigjson':
      addJsonErrors(errors, data, '.dockerconfigjson')
      return
    case 'kubernetes.io/basic-auth':
      if (!has('username') && !has('password')) {
        missing('username')
        missing('password')
      }
      return
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) missing('ssh-privatekey')
      return
    case 'kubernetes.io/tls':
      for (const key of ['tls.crt', 'tls.key']) if (!has(key)) missing(key)
  }
}

function addJsonErrors(errors: FieldError[], data: Texts, key: string): void {
  const path = `data[${key}]`
  if (!Object.hasOwn(data, key)) {
    errors.push(required(path, ''))
    return
  }
  const problem = jsonObjectProblem(data[key] ?? '')
  if (problem !== undefined) errors.push(invalid(path, '<secret contents redacted>', problem))
}

function jsonObjectProblem(base64: string): string | undefined {
  try {
    const value = parseJson(decodeURIComponent(percentEncoded(atob(base64))))
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
  } catch (error) {
    return error instanceof DecodeError ? error.message : 'invalid character in the text'
  }
}

const percentEncoded = (bytes: string) => Array.from(bytes, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

export function validateSecretUpdate(next: Secret, current: Secret): FieldError[] {
  const errors: FieldError[] = []
  if ((next.type ?? '') !== (current.type ?? '')) errors.push(invalid('type', typed(next.type), immutableMessage))
  addFrozenErrors(errors, next, current, ['data'])
  errors.push(...validateSecret(next))
  return errors
}
