// The types of custom resources, which come and go while a server runs. Unlike those of the schema table they keep a body as it was sent, without the
// fields that their schema does not declare.
// Ours: how a server holds the types of custom resources.

export interface CustomType {
  /** As `decode` of ./decode/decode.ts. */
  decode(value: unknown, options: CustomDecodeOptions): CustomDecoded
  /** As `shapeOfKind` of ./managed-fields/shape.ts. */
  shape(): unknown
}

export interface CustomDecodeOptions {
  readonly kind?: string
  readonly apiVersion?: string
  readonly keepsNulls?: boolean
}

export interface CustomDecoded {
  readonly object: unknown
  readonly unknownFields: readonly string[]
}

const prefix = 'custom/'
const types = new Map<string, WeakRef<CustomType>>()
const unused = new FinalizationRegistry<string>((name) => types.delete(name))
let added = 0

/**
 * The name of the type, which no other type has or had: clusters of one process may define different resources of one name. The caller holds the type as
 * long as the name is used; after that it is forgotten.
 */
export function addCustomType(type: CustomType): string {
  const name = `${prefix}${++added}`
  types.set(name, new WeakRef(type))
  unused.register(type, name)
  return name
}

/** Undefined for the types of the schema table. */
export function findCustomType(name: string): CustomType | undefined {
  if (!name.startsWith(prefix)) return undefined
  const type = types.get(name)?.deref()
  if (type === undefined) throw new Error(`Cannot find type "${name}": its kind is no longer in use.`)
  return type
}
