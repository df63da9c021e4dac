// Parts of a pod, and the source of a PersistentVolume, as Kubernetes' messages show them: all fields, under their Go names, in the
// order of version 1.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation/field.Error.ErrorBody
import { sortKeys } from '../../../../../base/maps.ts'
import { ownValue } from '../../../../machinery/json-object.ts'
import { type Field, isPointer, structOf } from '../../../../machinery/schema/schema.ts'
import { goNameOf, zeroValue } from '../../../../machinery/validation/shown-struct.ts'

type Fields = Readonly<Record<string, unknown>>

const known = new Map<string, readonly Field[]>()

function fieldsOf(type: string): readonly Field[] {
  let fields = known.get(type)
  if (fields === undefined) {
    // Version 1 inlines the source of a volume.
    fields =
      type === 'PersistentVolumeSource'
        ? structOf('core.PersistentVolumeSpec').fields.filter(({ embeddedIn }) => embeddedIn === type)
        : structOf(`core.${type}`).fields
    known.set(type, fields)
  }
  return fields
}

/** The value of a struct (`core.SecurityContext` or `SecurityContext`), to be shown as JSON. */
export function internalForm(type: string, value: unknown): unknown {
  const name = type.replace(/^core\./, '')
  const from = (value ?? {}) as Fields
  return structForm(name, name === 'PodSpec' ? withBothNames(from) : from)
}

/** The two names of the service account are equal internally, and there always is a security context. */
function withBothNames(spec: Fields): Fields {
  const serviceAccountName = spec['serviceAccountName'] || spec['serviceAccount']
  return { ...spec, serviceAccountName, serviceAccount: serviceAccountName, securityContext: spec['securityContext'] ?? {} }
}

function structForm(type: string, value: Fields): Fields {
  const result: Record<string, unknown> = {}
  for (const field of fieldsOf(type)) {
    const part = ownValue(value, field.name) ?? undefined
    // Go inlines embedded metadata.
    if (field.goName === 'ObjectMeta') Object.assign(result, part)
    else result[goNameOf(field)] = valueForm(field.type, part)
  }
  return result
}

function valueForm(type: Field['type'], value: unknown): unknown {
  const struct = type.kind === 'struct' && type.name.startsWith('core.') ? type.name.slice('core.'.length) : undefined
  if (struct !== undefined && (value !== undefined || !isPointer(type))) return structForm(struct, (value ?? {}) as Fields)
  if (value === undefined) return zeroValue(type)
  return type.kind === 'list' ? (value as readonly unknown[]).map((one) => valueForm(type.of, one ?? undefined)) : sorted(value)
}

/** Maps are written in the order of their keys; selectors keep that of their fields, which happens to be the reverse. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { matchLabels, matchExpressions } = value as Fields
  if (matchLabels !== undefined || matchExpressions !== undefined)
    return {
      ...(matchLabels !== undefined && { matchLabels: sorted(matchLabels) }),
      ...(matchExpressions !== undefined && { matchExpressions }),
    }
  return sortKeys(value as Fields)
}
