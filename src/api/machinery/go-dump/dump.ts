// Go's dump of a pod template: the text that Kubernetes hashes to name ReplicaSets. Every field is spelled out with its Go
// type, the empty ones too, so that a template gets the same name as in Kubernetes.
// Kubernetes: k8s.io/apimachinery/pkg/util/dump.ForHash
import { readQuantity } from '../../../base/quantity.ts'
import { goTypeOf } from '../schema/go-type.ts'
import { type Field, type FieldType, isPointer, type Scalar, structOf } from '../schema/schema.ts'

type Json = Readonly<Record<string, unknown>>

export function dumpGo(typeName: string, value: object): string {
  const type: FieldType = { kind: 'struct', name: typeName, pointer: false }
  return `(${goTypeOf(type)})${dumpStruct(typeName, value as Json)}`
}

function dumpStruct(typeName: string, value: Json | undefined): string {
  const parts: string[] = []
  /** The struct that JSON inlines and that is being written. */
  let open: { readonly number: number; readonly name: string; readonly parts: string[] } | undefined
  const close = () => {
    if (open !== undefined) parts.push(`${open.name}:(v1.${open.name}){${open.parts.join(' ')}}`)
    open = undefined
  }
  for (const field of structOf(typeName).fields) {
    const [outer = 0, inner] = field.numbers
    // Only Rollcall has it: Kubernetes' dump does not.
    if (outer === 0) continue
    const name = field.goName ?? field.name[0]!.toUpperCase() + field.name.slice(1)
    const text = `${name}:${dumpField(field, value?.[field.name])}`
    if (inner === undefined) {
      close()
      parts.push(text)
      continue
    }
    if (open?.number !== outer) {
      close()
      open = { number: outer, name: field.embeddedIn ?? '', parts: [] }
    }
    open.parts.push(text)
  }
  close()
  return `{${parts.join(' ')}}`
}

function dumpField({ type, goType: named }: Field, value: unknown): string {
  const text = named === undefined ? goTypeOf(type) : isPointer(type) && !named.startsWith('*') ? `*${named}` : named
  return `(${text})${dumpValue(type, value ?? undefined)}`
}

function dumpValue(type: FieldType, value: unknown): string {
  if (value === undefined && (type.kind === 'list' || type.kind === 'map' || type.pointer)) return '<nil>'
  switch (type.kind) {
    case 'list':
      return `[${(value as readonly unknown[]).map((item) => dumpValue(type.of, item)).join(' ')}]`
    case 'map':
      return `map[${Object.keys(value as Json)
        .sort()
        .map((key) => `${key}:${dumpValue(type.of, (value as Json)[key])}`)
        .join(' ')}]`
    case 'struct':
      return dumpStruct(type.name, value as Json | undefined)
    default:
      return dumpScalar(type.scalar, value)
  }
}

function dumpScalar(scalar: Scalar, value: unknown): string {
  switch (scalar) {
    case 'string':
    case 'bytes':
      return (value as string | undefined) ?? ''
    case 'bool':
      return String(value ?? false)
    case 'Quantity':
      return dumpQuantity((value as string | undefined) ?? '0')
    case 'IntOrString': {
      const isText = typeof value === 'string'
      return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`
    }
    case 'Time':
    case 'MicroTime':
      return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}'
    default:
      return String(value ?? 0)
  }
}

/** As Go's parser leaves it: a number and its power of ten; the text is kept only where the parser knows it to be canonical. */
function dumpQuantity(text: string): string {
  if (text === '0') return quantity(0, 0, '0', 'DecimalSI')
  const parsed = readQuantity(text)
  if (typeof parsed === 'string') return quantity(0, 0, '', 'DecimalSI')
  const match = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([A-Za-z]*(?:[eE][+-]?[0-9]+)?)$/.exec(text)
  if (match === null) return quantity(0, 0, '', 'DecimalSI')
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  const digits = Number(`${whole}${fraction}` || '0')
  const signed = sign === '-' ? -digits : digits
  const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].indexOf(suffix)
  if (binary >= 0) return quantity(signed * 1024 ** (binary + 1), 0, digits % 8 === 0 ? '' : text, 'BinarySI')
  const powers: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
  const power = (powers[suffix] ?? Number(suffix.slice(1))) - fraction.length
  const shifted = `${whole || '0'}${fraction}`
  const isCanonical = power % 3 === 0 && !shifted.endsWith('000') && shifted[0] !== '0'
  return quantity(signed, power, isCanonical ? text : '', parsed.format)
}

const quantity = (value: number, scale: number, text: string, format: string) =>
  `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`
