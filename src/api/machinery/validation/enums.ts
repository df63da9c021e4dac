// Fields with a set of values. Where Kubernetes' types say the values, nothing repeats them.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation/field.NotSupported
import { type At, type FieldError, notSupported, required, typed } from '../field-error.ts'
import { structOf } from '../schema/schema.ts'

/** A field that is an enum (`core.Container.imagePullPolicy`), or the values themselves, as messages list them. */
type Supported = string | readonly string[]

const known = new Map<string, readonly string[]>()

/** The values of an enum in their order. A field that is none is a programming error. */
export function enumOf(path: string): readonly string[] {
  let values = known.get(path)
  if (values === undefined) {
    const dot = path.lastIndexOf('.')
    values = structOf(path.slice(0, dot)).byName.get(path.slice(dot + 1))?.enum
    if (values === undefined) throw new Error(`The field ${path} is no enum.`)
    known.set(path, values)
  }
  return values
}

/** A field that must have one of the values. `detail` is the message about a missing value. */
export function addEnumErrors(errors: FieldError[], value: string | undefined, supported: Supported, at: At, detail = ''): void {
  if (!value) errors.push(required(at(), detail))
  else addUnsupported(errors, value, supported, at)
}

/** A field that may be absent, or must have one of the values. */
export function addUnsupported(errors: FieldError[], value: string | undefined | null, supported: Supported, at: At | string): void {
  if (value === undefined || value === null) return
  const values = typeof supported === 'string' ? enumOf(supported) : supported
  if (!values.includes(value)) errors.push(notSupported(typeof at === 'string' ? at : at(), typed(value), values))
}
