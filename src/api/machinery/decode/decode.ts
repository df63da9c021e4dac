// Converts parsed JSON to the object that the decoder and encoder of Kubernetes would produce: without unknown fields and nulls,
// fields in the order of their struct, map keys in alphabetical order, scalars in canonical form, empty values omitted or written
// as Go's tags determine.
//
// Each struct of the schema is compiled once into a reader. A reader only detects that the input is invalid; a second pass over the
// input (explain.ts) finds the messages.
// Kubernetes: sigs.k8s.io/json/internal/golang/encoding/json.decodeState.object, decodeState.array, decodeState.literalStore

import { findCustomType } from '../custom-types.ts'
import { isJsonObject, setOwnValue } from '../json-object.ts'
import { type Field, type FieldType, isPointer, isStructScalar, type Struct, structOf, zeroScalars } from '../schema/schema.ts'
import { explain } from './explain.ts'
import { scalarReaders, wrong } from './read-scalar.ts'

interface DecodeOptions {
  /** Written before all other fields. The kind and apiVersion of the input are ignored. */
  readonly kind?: string
  readonly apiVersion?: string
  /**
   * An object that was decoded before. Parts that the input shares with it are not decoded again, and the result shares equal parts
   * with it. The result, its metadata and its status are always new objects.
   */
  readonly known?: object
  /** Of custom resources: a null that the schema does not allow stays, so that validation refuses it. By default it counts as absent. */
  readonly keepsNulls?: boolean
}

interface Decoded<T> {
  /** A new object. It shares free-form JSON with the input, and equal parts with `known`. */
  readonly object: T
  /** Messages such as `unknown field "spec.template.spce"`, which are errors or warnings. At most 100, each once. */
  readonly unknownFields: readonly string[]
}

/** Throws a DecodeError when a value does not fit its type. */
export function decode<T = Record<string, unknown>>(typeName: string, value: unknown, options: DecodeOptions = {}): Decoded<T> {
  const custom = findCustomType(typeName)
  if (custom !== undefined) return custom.decode(value, options) as Decoded<T>
  const findings: Findings = { hasProblem: false }
  const reader = readerOf(typeName)
  const object = value === null || value === undefined ? reader.zero(options) : reader.readRoot(value, findings, options)
  if (!findings.hasProblem) return { object: object as T, unknownFields: nothing }
  return { object: object as T, unknownFields: explain(structOf(typeName), value) }
}

const nothing: readonly string[] = Object.freeze([])

/** Whether the input has a field that is not in the table, or a value that does not fit. */
interface Findings {
  hasProblem: boolean
}

/** `known` is the value at the same path of an object that was decoded before, if there is one. */
type Read = (value: unknown, findings: Findings, known?: unknown) => unknown
type Fields = Record<string, unknown>

interface StructReader {
  readonly read: Read
  readonly readRoot: (value: unknown, findings: Findings, options: DecodeOptions) => unknown
  readonly zero: (options?: DecodeOptions) => Fields
}

interface FieldPlan {
  readonly name: string
  /** Its place in the struct. */
  readonly place: number
  readonly read: Read
  /** The value if the input has none; undefined: the field is omitted. */
  readonly absent: (() => unknown) | undefined
  /** Undefined: it never is. */
  readonly isLeftOut: ((value: unknown) => boolean) | undefined
}

const readers = new Map<string, StructReader>()

function readerOf(name: string): StructReader {
  const known = readers.get(name)
  if (known !== undefined) return known
  const reader = compileStruct(structOf(name))
  readers.set(name, reader)
  return reader
}

/** Parts that every result has to itself, also when the rest is shared with an earlier result: the preparation of an object changes them in place. */
const isOwn = (field: string) => field === 'metadata' || field === 'status'

function compileStruct(struct: Struct): StructReader {
  // CustomResourceDefinitions are stored as JSON, which keeps empty lists.
  const keepsEmpty = struct.name.startsWith('apiextensions.')
  const plans = struct.fields.map((field, place) => planField(field, place, keepsEmpty))
  const byName = new Map(plans.map((plan) => [plan.name, plan]))
  const zeroPlans = plans.filter((plan) => plan.absent !== undefined)

  /** The fields that the input has, in the order of the struct. They are found before any is read: each is read once, however deep it is. */
  function presentPlans(input: Fields, findings: Findings): readonly FieldPlan[] {
    const present: FieldPlan[] = []
    for (const name in input) {
      if (input[name] === undefined) continue
      const plan = byName.get(name)
      if (plan !== undefined) insertByPlace(present, plan)
      else if (!struct.typeMeta || !isTypeMeta(name)) findings.hasProblem = true
    }
    return present
  }

  function readFields(input: Fields, output: Fields, findings: Findings, known: Fields | undefined, isRoot: boolean): Fields {
    let nextZero = 0
    for (const plan of presentPlans(input, findings)) {
      const raw = input[plan.name]
      if (raw === null) continue
      while (nextZero < zeroPlans.length && zeroPlans[nextZero]!.place <= plan.place) {
        const zero = zeroPlans[nextZero++]!
        if (zero !== plan) output[zero.name] = zero.absent!()
      }
      readField(plan, raw, output, findings, known, isRoot)
    }
    while (nextZero < zeroPlans.length) {
      const zero = zeroPlans[nextZero++]!
      output[zero.name] = zero.absent!()
    }
    return output
  }

  function readField(plan: FieldPlan, raw: unknown, output: Fields, findings: Findings, known: Fields | undefined, isRoot: boolean): void {
    const { name } = plan
    const before = known === undefined ? undefined : known[name]
    let read = raw === before && raw !== undefined ? raw : plan.read(raw, findings, before)
    if (isRoot && read === before && isOwn(name) && isJsonObject(read)) read = { ...read }
    if (read === wrong) findings.hasProblem = true
    else if (plan.isLeftOut === undefined || !plan.isLeftOut(read)) output[name] = read
  }

  function readTypeMeta(input: Fields, findings: Findings): Fields {
    const output: Fields = {}
    for (const name of typeMetaFields) {
      const value = input[name]
      if (value === undefined) continue
      if (typeof value === 'string') {
        if (value !== '') output[name] = value
      } else if (value !== null) findings.hasProblem = true
    }
    return output
  }

  return {
    read(value, findings, known) {
      if (value === known) return value
      if (!isJsonObject(value)) return wrong
      const before = isJsonObject(known) ? known : undefined
      const output = readFields(value, struct.typeMeta ? readTypeMeta(value, findings) : {}, findings, before, false)
      return before !== undefined && hasSameFields(output, before) ? before : output
    },
    readRoot(value, findings, options) {
      if (!isJsonObject(value)) {
        findings.hasProblem = true
        return undefined
      }
      return readFields(value, typeMetaOf(options), findings, options.known as Fields | undefined, true)
    },
    zero(options) {
      const output: Fields = options === undefined ? {} : typeMetaOf(options)
      for (const plan of zeroPlans) output[plan.name] = plan.absent!()
      return output
    },
  }
}

/** Nearly all are in order: most arrive at the end. */
function insertByPlace(plans: FieldPlan[], plan: FieldPlan): void {
  let at = plans.length
  while (at > 0 && plans[at - 1]!.place > plan.place) {
    plans[at] = plans[at - 1]!
    at--
  }
  plans[at] = plan
}

const typeMetaFields = ['kind', 'apiVersion'] as const
const isTypeMeta = (name: string) => name === 'kind' || name === 'apiVersion'

function typeMetaOf({ kind, apiVersion }: DecodeOptions): Fields {
  if (kind !== undefined && apiVersion !== undefined) return { kind, apiVersion }
  return { ...(kind !== undefined && { kind }), ...(apiVersion !== undefined && { apiVersion }) }
}

function planField(field: Field, place: number, keepsEmpty: boolean): FieldPlan {
  const { name, type, always, omitZero } = field
  if (field.isDropped) return { name, place, read: readerOfType(type), absent: undefined, isLeftOut: () => true }
  const omits = !always && !isPointer(type)
  const isWritten = always || (!omitZero && isStructInGo(type) && !isPointer(type))
  const read = field.or === undefined ? readerOfType(type) : unionReader(field.or, readerOfType(type))
  return {
    name,
    place,
    read: isWritten && !keepsEmpty && (type.kind === 'list' || type.kind === 'map') ? nullIfEmpty(read, emptyCheck(type)) : read,
    absent: isWritten ? zeroOf(type) : undefined,
    isLeftOut: field.or === 'list' ? isUndefined : omitZero ? isNull : omits && !isStructInGo(type) ? emptyCheck(type) : undefined,
  }
}

/** The protobuf messages that Kubernetes stores do not distinguish an empty list from none: it is read back as null. */
const nullIfEmpty =
  (read: Read, isEmpty: (value: unknown) => boolean): Read =>
  (value, findings, known) => {
    const result = read(value, findings, known)
    return result === wrong || result === null || !isEmpty(result) ? result : null
  }

const isUndefined = (value: unknown) => value === undefined
const isNull = (value: unknown) => value === null
const isFalsy = (value: unknown) => !value
const isEmptyList = (value: unknown) => (value as unknown[]).length === 0

function isEmptyMap(value: unknown): boolean {
  for (const _ in value as Fields) return false
  return true
}

function emptyCheck(type: FieldType): (value: unknown) => boolean {
  return type.kind === 'list' ? isEmptyList : type.kind === 'map' ? isEmptyMap : isFalsy
}

const isStructInGo = (type: FieldType) => type.kind === 'struct' || (type.kind === 'scalar' && isStructScalar(type.scalar))

function zeroOf(type: FieldType): () => unknown {
  if (isPointer(type) || type.kind === 'list' || type.kind === 'map') return () => null
  if (type.kind === 'struct') return () => readerOf(type.name).zero()
  const zero = type.kind === 'scalar' ? zeroScalars[type.scalar] : null
  return () => zero
}

function readerOfType(type: FieldType): Read {
  if (type.kind === 'scalar') return scalarReaders[type.scalar]
  if (type.kind === 'struct') {
    // Resolved at first use, so that types may contain themselves.
    let reader: StructReader | undefined
    return (value, findings, known) => {
      reader ??= readerOf(type.name)
      return reader.read(value, findings, known)
    }
  }
  const readItem = readerOfType(type.of)
  // Kubernetes' storage does not distinguish nil from empty bytes: null is read back as empty.
  const zeroItem = type.of.kind === 'scalar' && type.of.scalar === 'bytes' ? () => '' : zeroOf(type.of)
  return type.kind === 'list' ? listReader(readItem, zeroItem) : mapReader(readItem, zeroItem)
}

/** As Go reads them: what is neither a struct nor a list counts as absent, what is neither a struct nor a bool is an error. */
function unionReader(other: NonNullable<Field['or']>, readStruct: Read): Read {
  const readList = listReader(readStruct, () => ({}))
  return (value, findings, known) => {
    if (isJsonObject(value)) return readStruct(value, findings, known)
    if (other === 'list') return Array.isArray(value) ? readList(value, findings, known) : undefined
    return typeof value === 'boolean' ? value : wrong
  }
}

function listReader(readItem: Read, zeroItem: () => unknown): Read {
  return (value, findings, known) => {
    if (value === known) return value
    if (!Array.isArray(value)) return wrong
    const before: readonly unknown[] = Array.isArray(known) ? known : nothing
    const output = new Array<unknown>(value.length)
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at]
      const read = item === null || item === undefined ? zeroItem() : readItem(item, findings, before[at])
      if (read === wrong) return wrong
      output[at] = read
    }
    return output.length === before.length && output.every((item, at) => item === before[at]) && Array.isArray(known) ? known : output
  }
}

function mapReader(readItem: Read, zeroItem: () => unknown): Read {
  return (value, findings, known) => {
    if (value === known) return value
    if (!isJsonObject(value)) return wrong
    const output: Fields = {}
    for (const key of sortedKeys(value)) {
      const item = value[key]
      if (item === undefined) continue
      const read = item === null ? zeroItem() : readItem(item, findings)
      if (read === wrong) return wrong
      setOwnValue(output, key, read)
    }
    return isJsonObject(known) && hasSameFields(output, known) ? known : output
  }
}

function sortedKeys(map: Fields): string[] {
  const keys = Object.keys(map)
  for (let at = 1; at < keys.length; at++) if (keys[at]! < keys[at - 1]!) return keys.sort()
  return keys
}

/** Whether the two have the very same values in the same fields. */
function hasSameFields(one: Fields, other: Fields): boolean {
  let count = 0
  for (const name in one) {
    if (one[name] !== other[name]) return false
    count++
  }
  for (const _ in other) count--
  return count === 0
}
