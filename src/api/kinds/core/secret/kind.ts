// Kubernetes: pkg/registry/core/secret.strategy.*
// Kubernetes: pkg/printers/internalversion.printSecret
// Kubernetes: pkg/apis/core/v1.SetDefaults_Secret
// Kubernetes: pkg/registry/core/secret.SelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForSecret
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { DecodeError } from '../../../machinery/decode/decode-error.ts'
import { parseJson } from '../../../machinery/decode/json.ts'
import { type FieldError, invalid, required, tooLong, typed } from '../../../machinery/field-error.ts'
import { fillMap, fillObject } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { addFrozenErrors, addKeyErrors, decodedLength, maxBytes, type Texts } from '../../../machinery/validation/data-fields.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { Secret, Writable } from '../../../types.ts'

export const secrets: Kind<Secret> = {
  ...resource('core.Secret'),
  strategy: {
    default: defaultSecret,
    validate: validateSecret,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateSecretUpdate,
    warnings: secretWarnings,
  },
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: columnsOf([
    nameColumn,
    text('Type', 'What kind of secret it is.', ({ type }) => type ?? ''),
    text('Data', 'How many entries it has.', ({ data }) => Object.keys(data ?? {}).length),
    ageColumn,
  ]),
  unknownFieldMessage: unsupportedField,
}

/** The values of `stringData` replace those of `data`. `stringData` itself is never stored. */
function defaultSecret(secret: Writable<Secret>): void {
  const { stringData } = secret
  if (stringData !== undefined) {
    const encoded: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [key, text] of Object.entries(stringData)) encoded[key] = toBase64(text)
    delete secret.stringData
    if (Object.keys(encoded).length > 0) {
      const data = fillMap(encoded, secret.data ?? {})
      delete secret.data
      fillObject('core.Secret', secret, { data })
    }
  }
  fillObject('core.Secret', secret, { type: 'Opaque' })
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

// Kubernetes: pkg/apis/core/validation.ValidateSecret, ValidateSecretUpdate
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

// Warnings about the certificates and keys of TLS secrets. Only the PEM form is checked, not what it encodes.
// Kubernetes: pkg/registry/core/secret.warningsForSecret
export function secretWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return []
  const problem = certificateProblem(blockTypes(data['tls.crt'])) ?? keyProblem(blockTypes(data['tls.key']))
  return problem === undefined ? [] : [`tls: ${problem}`]
}

/** The types of the PEM blocks, in order. */
function blockTypes(base64 = ''): string[] {
  const types: string[] = []
  let open: string | undefined
  for (const line of atob(base64).split('\n')) {
    const [, verb, type] = /^-----(BEGIN|END) (.*)-----\s*$/.exec(line) ?? []
    if (verb === 'END' && type === open && type !== undefined) types.push(type)
    if (verb === 'BEGIN') open = type
    else if (line.startsWith('-')) open = undefined
  }
  return types
}

const isKey = (type: string) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY')
const skipped = (types: readonly string[]) => `after skipping PEM blocks of the following types: [${types.join(' ')}]`

function certificateProblem(types: readonly string[]): string | undefined {
  if (types.includes('CERTIFICATE')) return undefined
  if (types.length === 0) return 'failed to find any PEM data in certificate input'
  if (types.length === 1 && types[0]!.endsWith('PRIVATE KEY'))
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  return `failed to find "CERTIFICATE" PEM block in certificate input ${skipped(types)}`
}

function keyProblem(types: readonly string[]): string | undefined {
  if (types.some(isKey)) return undefined
  if (types.length === 0) return 'failed to find any PEM data in key input'
  if (types.length === 1 && types[0] === 'CERTIFICATE') return 'found a certificate rather than a key in the PEM for the private key'
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input ${skipped(types)}`
}
