// Parts of a pod as Kubernetes' messages show them: all fields, under their Go names.
import { internalTypes } from './internal-types.ts'

interface InternalField {
  readonly goName: string
  readonly wireName: string
  readonly isList: boolean
  /** Null when absent. */
  readonly isPointer: boolean
  readonly zero: unknown
  readonly struct: string
}

type Fields = Readonly<Record<string, unknown>>

const compiled = new Map<string, readonly InternalField[]>()

function fieldsOf(type: string): readonly InternalField[] {
  let fields = compiled.get(type)
  if (fields === undefined) {
    fields = (internalTypes[type] ?? '').split(' ').map(readField)
    compiled.set(type, fields)
  }
  return fields
}

function readField(text: string): InternalField {
  const [names = '', kind = ''] = text.split(':')
  const [goName = '', wireName] = names.split('=')
  const isPointer = kind.startsWith('*')
  const isList = kind.startsWith('[]')
  const rest = isPointer ? kind.slice(1) : isList ? kind.slice(2) : kind
  const zero = isPointer || isList ? null : rest === '0' ? 0 : rest === 'false' ? false : rest === 'quantity' ? '0' : ''
  const struct = rest === 'inline' || Object.hasOwn(internalTypes, rest) ? rest : ''
  return { goName, wireName: wireName ?? `${goName.charAt(0).toLowerCase()}${goName.slice(1)}`, isList, isPointer, zero, struct }
}

/** The value of a struct (`core.SecurityContext` or `SecurityContext`), to be shown as JSON. */
export function internalForm(type: string, value: unknown): unknown {
  const name = type.replace(/^core\./, '')
  const from = (value ?? {}) as Fields
  if (name === 'PodSpec') return structForm(name, withPodSecurity(from))
  return structForm(name, from)
}

// The server keeps these fields of a spec inside of its security context, which it always has.
function withPodSecurity(spec: Fields): Fields {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec
  return {
    ...spec,
    serviceAccountName: spec['serviceAccountName'] || spec['serviceAccount'],
    securityContext: {
      ...(spec['securityContext'] as Fields | undefined),
      hostNetwork,
      hostPID,
      hostIPC,
      shareProcessNamespace,
      hostUsers,
    },
  }
}

function structForm(type: string, value: Fields): Fields {
  const result: Record<string, unknown> = {}
  for (const field of fieldsOf(type)) {
    const { goName, wireName, isList, isPointer, zero, struct } = field
    const part = Object.hasOwn(value, wireName) ? value[wireName] : undefined
    if (struct === 'inline') Object.assign(result, part)
    else if (struct === '') result[goName] = part === undefined || part === null ? zero : sorted(part)
    else if (isList) result[goName] = Array.isArray(part) ? part.map((one) => structForm(struct, (one ?? {}) as Fields)) : null
    else if (isPointer && (part === undefined || part === null)) result[goName] = null
    else result[goName] = structForm(struct, (part ?? {}) as Fields)
  }
  return result
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
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
