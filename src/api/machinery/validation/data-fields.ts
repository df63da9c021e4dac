// The data of ConfigMaps and Secrets: keys are file names, and all values together have at most 1 MiB.
// Kubernetes: pkg/apis/core/validation.ValidateConfigMap, ValidateSecret
// Kubernetes: k8s.io/apimachinery/pkg/util/validation.IsConfigMapKey
import { isEqualJson } from '../../../base/json.ts'
import { type FieldError, forbidden, invalid } from '../field-error.ts'
import { isConfigMapKey } from './names.ts'

export const maxBytes = 1024 * 1024
const frozenMessage = 'field is immutable when `immutable` is set'

export type Texts = Readonly<Record<string, string>>

export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

export function addKeyErrors(errors: FieldError[], data: Texts, field: string, others: Texts = {}): void {
  for (const key of Object.keys(data)) {
    for (const message of isConfigMapKey(key)) errors.push(invalid(`${field}[${key}]`, key, message))
    if (Object.hasOwn(others, key)) errors.push(invalid(`${field}[${key}]`, key, 'duplicate of key present in binaryData'))
  }
}

/** Immutable data does not change, and stays immutable. */
export function addFrozenErrors<T extends { readonly immutable?: boolean }>(
  errors: FieldError[],
  next: T,
  current: T,
  fields: readonly (keyof T & string)[],
): void {
  if (current.immutable !== true) return
  if (next.immutable !== true) errors.push(forbidden('immutable', frozenMessage))
  for (const field of fields) if (!isEqualJson(next[field] ?? {}, current[field] ?? {})) errors.push(forbidden(field, frozenMessage))
}
