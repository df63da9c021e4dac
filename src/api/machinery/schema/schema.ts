// The fields of every struct of the API, in Kubernetes' order: the facts of ../generated/kubernetes.ts with the fields of ./proposals.ts. A struct is
// compiled when it is first used.
//
// A line is a field: its name, its type, then flags:
//   string bool int32 int64 float64 bytes Time MicroTime Quantity IntOrString any   scalars (`any` is free-form JSON)
//   core.Container       a struct        []T  a list        map T  a map from strings        *T  may be absent (a Go pointer)
//   always               written even when empty; the rest is left out when empty, as Go's omitempty does
//   omitzero             a struct or time that is left out when zero
//   required             listed as required in OpenAPI
//   patch= mergeKey=     strategic merge patch: merge, replace, retainKeys; the key of a merging list
//   list= keys= map= struct=   server-side apply: atomic, set, map (with its keys), granular
//   enum=A|B             the values that OpenAPI lists
//   default=             the value that OpenAPI and server-side apply's keys assume
//   gate=                the feature gates of the field
//   #3, #2.1             its number in Kubernetes' protobuf messages; 2.1 is number 1 inside of number 2, where a struct is inlined
//   goType= goName=      its type and name in Go, where they do not follow from the JSON
//   or=                  a struct that JSON may also write as a bool, or as a list of such structs (schemas of CustomResourceDefinitions)
//   in=VolumeSource      Go has it in this embedded struct, which JSON inlines
// Two lines describe the struct itself:
//   $struct atomic       server-side apply owns it whole
//   $typeMeta            inline: it has kind and apiVersion before all other fields; object: and then metadata
// Ours: the tables of types, which are generated from Kubernetes' own.
import { featureGates } from '../feature-gates.ts'
import { kubernetesGates, kubernetesTypes, kubernetesVersion } from '../generated/kubernetes.ts'
import { proposedFields } from './proposals.ts'

export type Scalar = 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'Time' | 'MicroTime' | 'Quantity' | 'IntOrString' | 'any'

export type FieldType =
  | { readonly kind: 'scalar'; readonly scalar: Scalar; readonly pointer: boolean }
  | { readonly kind: 'struct'; readonly name: string; readonly pointer: boolean }
  | { readonly kind: 'list'; readonly of: FieldType }
  | { readonly kind: 'map'; readonly of: FieldType }

export interface Field {
  readonly name: string
  readonly type: FieldType
  /** Written even when empty. */
  readonly always: boolean
  readonly omitZero: boolean
  readonly required: boolean
  /** Strategic merge patch. A list with no strategy is replaced whole. */
  readonly patchStrategies: readonly string[]
  readonly mergeKey?: string
  /** Server-side apply. */
  readonly listType?: 'atomic' | 'set' | 'map'
  readonly listKeys: readonly string[]
  readonly mapType?: 'atomic' | 'granular'
  readonly structType?: 'atomic' | 'granular'
  /** The values that it may have, for OpenAPI; validation has rules of its own. */
  readonly enum?: readonly string[]
  readonly default?: unknown
  /** Its feature is off, and not implemented here: what a writer sends is dropped. */
  readonly isDropped: boolean
  /** Its type in Go, where that does not follow from `type`: `v1.PullPolicy`. */
  readonly goType?: string
  /** Its name in Go, where that is not `name` with a capital letter. */
  readonly goName?: string
  /** What a struct may be written as instead. */
  readonly or?: 'bool' | 'list'
  /** The embedded Go struct that has it. */
  readonly embeddedIn?: string
  /** Added by one of the proposals. */
  readonly isProposal: boolean
  /** Its number in protobuf, from the outside in. Empty for fields that have none upstream. */
  readonly numbers: readonly number[]
}

export interface Struct {
  /** The name in the table, such as `core.Container`. */
  readonly name: string
  /** The name that Kubernetes' decoder uses in its messages, such as `Container`. */
  readonly goName: string
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  /** Server-side apply owns it whole. */
  readonly atomic: boolean
  /** It has kind and apiVersion besides its fields. */
  readonly typeMeta: boolean
}

const compiled = new Map<string, Struct>()

/** Whether Go has a pointer to the value. */
export const isPointer = (type: FieldType): boolean => (type.kind === 'scalar' || type.kind === 'struct') && type.pointer

/** The struct of that name (`core.Container`). An unknown name is a programming error, never the fault of a request. */
export function structOf(name: string): Struct {
  const known = compiled.get(name)
  if (known !== undefined) return known
  const facts = kubernetesTypes[name]
  if (facts === undefined) throw new Error(`Cannot find type "${name}": Kubernetes ${kubernetesVersion} does not have it.`)
  const lines = facts.split('\n').filter((line) => line !== '')
  const typeMeta = lines.find((line) => line.startsWith('$typeMeta '))
  const fields = [
    ...(typeMeta === '$typeMeta object' ? [compileField('metadata meta.ObjectMeta goName=ObjectMeta #1', false)] : []),
    ...lines.filter((line) => !/^\$(struct|typeMeta) /.test(line)).map((line) => compileField(line, false)),
    ...(proposedFields[name]?.split('\n') ?? []).map((line) => compileField(line, true)),
  ]
  const struct: Struct = {
    name,
    goName: name.slice(name.indexOf('.') + 1),
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    atomic: lines.includes('$struct atomic'),
    typeMeta: typeMeta !== undefined,
  }
  compiled.set(name, struct)
  return struct
}

export const allStructNames = (): string[] => Object.keys(kubernetesTypes)

/** A strategy drops more than the field. */
const gatesOfStrategies: readonly string[] = [...Object.keys(featureGates), 'CrossNamespaceVolumeDataSource']

const isOff = (gate: string) => kubernetesGates[gate]?.startsWith('off ') === true && !gatesOfStrategies.includes(gate)

function compileField(line: string, isProposal: boolean): Field {
  const [name = '', ...words] = line.split(' ')
  let at = 0
  while (words[at] === 'map' || words[at]!.endsWith(']map')) at++
  const type = compileType(words.slice(0, at + 1).join(' '))
  const flags = new Map(words.slice(at + 1).map((word) => cut(word)))
  const number = words.find((word) => word.startsWith('#'))
  const text = (flag: string) => flags.get(flag)
  return {
    name,
    type,
    always: flags.has('always'),
    omitZero: flags.has('omitzero'),
    required: flags.has('required'),
    patchStrategies: text('patch')?.split(',') ?? [],
    listKeys: text('keys')?.split('+') ?? [],
    numbers: number === undefined ? [] : number.slice(1).split('.').map(Number),
    isDropped: text('gate')?.split(',').some(isOff) ?? false,
    isProposal,
    ...(flags.has('mergeKey') && { mergeKey: text('mergeKey') as string }),
    ...(flags.has('list') && { listType: text('list') as 'atomic' | 'set' | 'map' }),
    ...(flags.has('map') && { mapType: text('map') as 'atomic' | 'granular' }),
    ...(flags.has('struct') && { structType: text('struct') as 'atomic' | 'granular' }),
    ...(flags.has('enum') && { enum: text('enum')!.split('|') }),
    ...(flags.has('default') && { default: JSON.parse(text('default') as string) as unknown }),
    ...(flags.has('goType') && { goType: text('goType') as string }),
    ...(flags.has('goName') && { goName: text('goName') as string }),
    ...(flags.has('or') && { or: text('or') as 'bool' | 'list' }),
    ...(flags.has('in') && { embeddedIn: text('in') as string }),
  }
}

function cut(word: string): [string, string] {
  const equals = word.indexOf('=')
  return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)]
}

const scalars = new Set<string>([
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'Time',
  'MicroTime',
  'Quantity',
  'IntOrString',
  'any',
])

function compileType(text: string): FieldType {
  if (text.startsWith('[]')) return { kind: 'list', of: compileType(text.slice(2)) }
  if (text.startsWith('map ')) return { kind: 'map', of: compileType(text.slice(4)) }
  const pointer = text.startsWith('*')
  const bare = pointer ? text.slice(1) : text
  if (bare.startsWith('[]') || bare.startsWith('map ')) return compileType(bare)
  if (scalars.has(bare)) return { kind: 'scalar', scalar: bare as Scalar, pointer }
  return { kind: 'struct', name: bare, pointer }
}

/** The zero value of a scalar, as Go writes it. */
export const zeroScalars: Readonly<Record<Scalar, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  bytes: null,
  Time: null,
  MicroTime: null,
  Quantity: '0',
  IntOrString: 0,
  any: null,
}

/** Structs in Go: omitempty never leaves them out. */
export const isStructScalar = (scalar: Scalar) =>
  scalar === 'Time' || scalar === 'MicroTime' || scalar === 'Quantity' || scalar === 'IntOrString' || scalar === 'any'
