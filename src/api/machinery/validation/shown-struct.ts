// How Kubernetes shows a whole struct that is wrong: under the names of its Go fields, each with its zero value when it
// is not set. Its internal types have no other names.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation/field.Error.ErrorBody
import { sortKeys } from '../../../base/maps.ts'
import { shownAs } from '../field-error.ts'
import { goJson } from '../go-text.ts'
import { type Field, type FieldType, structOf, zeroScalars } from '../schema/schema.ts'
import type { LabelSelector } from '../types.ts'

type Json = Readonly<Record<string, unknown>>

/** A value of the struct of that name, or null. */
export const shownStruct = (name: string, value: unknown): unknown => shownAs(goJson(inGo(name, value)))

export const goNameOf = ({ name, goName }: Field): string => goName ?? name.charAt(0).toUpperCase() + name.slice(1)

function inGo(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null
  const object = value as Json
  return Object.fromEntries(
    structOf(name).fields.map((field) => [
      goNameOf(field),
      fieldInGo(field.type, Object.hasOwn(object, field.name) ? object[field.name] : undefined),
    ]),
  )
}

function fieldInGo(type: FieldType, value: unknown): unknown {
  // These are shown with their JSON names, without empty fields.
  if (type.kind === 'struct' && type.name.startsWith('meta.')) return value ?? (type.pointer ? null : {})
  if (type.kind === 'struct') return inGo(type.name, value ?? (type.pointer ? undefined : {}))
  if (value === undefined || value === null) return zeroValue(type)
  if (type.kind === 'list') return (value as readonly unknown[]).map((one) => fieldInGo(type.of, one))
  if (type.kind === 'map') return sortKeys(value as Json)
  return value
}

/** The value of a field that is not set, in Go. */
export function zeroValue(type: FieldType): unknown {
  return type.kind === 'scalar' && !type.pointer ? zeroScalars[type.scalar] : null
}

/** A selector has names in JSON: it is shown as it is written, its labels in order. */
export function shownSelector(selector: LabelSelector | null | undefined): unknown {
  if (!selector) return null
  const { matchLabels, matchExpressions } = selector
  return {
    ...(matchLabels && Object.keys(matchLabels).length > 0 && { matchLabels: sortKeys(matchLabels) }),
    ...(matchExpressions &&
      matchExpressions.length > 0 && {
        matchExpressions: matchExpressions.map(({ key, operator, values }) => ({
          key: key ?? '',
          operator: operator ?? '',
          ...(values && values.length > 0 && { values }),
        })),
      }),
  }
}
