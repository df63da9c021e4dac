// Kubernetes: k8s.io/apimachinery/pkg/util/validation/field.NotSupported
import { type At, type FieldError, notSupported, required, typed } from '../field-error.ts'

/** A required field with one of these values. The message lists them in the order given; `detail` is the message about a missing value. */
export function addEnumErrors(errors: FieldError[], value: string | undefined, supported: readonly string[], at: At, detail = ''): void {
  if (!value) errors.push(required(at(), detail))
  else if (!supported.includes(value)) errors.push(notSupported(at(), typed(value), supported))
}
