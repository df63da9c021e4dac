// The type of a value as Go prints it.
// Ours: Go prints the names of its types.
import type { FieldType } from './schema.ts'

const scalarTypes: Readonly<Record<string, string>> = {
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  bytes: '[]uint8',
  any: 'runtime.RawExtension',
}

/** `*v1.Probe`, `map[string]string`. */
export function goTypeOf(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `[]${goTypeOf(type.of)}`
    case 'map':
      return `map[string]${goTypeOf(type.of)}`
    case 'struct': {
      const [scope = '', name = ''] = type.name.split('.')
      return `${type.pointer ? '*' : ''}${scope.split('/')[1] ?? 'v1'}.${name}`
    }
    default:
      return `${type.pointer ? '*' : ''}${scalarTypes[type.scalar] ?? type.scalar}`
  }
}
