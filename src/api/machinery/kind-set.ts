// The kinds that a server has at the moment: the built-in ones, and those that CustomResourceDefinitions add and remove.
// Ours: how a server holds the kinds that it serves.
import type { Kind } from './kind.ts'

export class KindSet {
  readonly #builtIn: readonly Kind[]
  /** By the name of the definition. */
  readonly #custom = new Map<string, readonly Kind[]>()
  readonly #listeners = new Set<(removed: readonly Kind[]) => void>()
  #all: readonly Kind[] | undefined

  constructor(builtIn: readonly Kind[]) {
    this.#builtIn = builtIn
    this.#all = builtIn
  }

  /** In the order of discovery. The same array until the kinds change. */
  get all(): readonly Kind[] {
    this.#all ??= [...this.#builtIn, ...[...this.#custom.values()].flat().sort(inDiscoveryOrder)]
    return this.#all
  }

  get custom(): readonly Kind[] {
    return [...this.#custom.values()].flat()
  }

  customOf(definition: string): readonly Kind[] {
    return this.#custom.get(definition) ?? []
  }

  /** Replaces the kinds of a definition; none removes them. */
  set(definition: string, kinds: readonly Kind[]): void {
    if (kinds.length === 0 && !this.#custom.has(definition)) return
    const removed = this.customOf(definition)
    if (kinds.length === 0) this.#custom.delete(definition)
    else this.#custom.set(definition, kinds)
    this.#all = undefined
    for (const listener of this.#listeners) listener(removed)
  }

  /** Calls the listener after every change, with the kinds that are no longer served or are replaced. Returns the function that ends it. */
  onChange(listener: (removed: readonly Kind[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Kinds that may change. */
export interface KindSource {
  current(): readonly Kind[]
  /** Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

export const fixedKinds = (kinds: readonly Kind[]): KindSource => ({ current: () => kinds, onChange: () => () => {} })

/** For parts that take either. */
export const kindSetOf = (kinds: readonly Kind[] | KindSet): KindSet => (kinds instanceof KindSet ? kinds : new KindSet(kinds))

function inDiscoveryOrder(one: Kind, other: Kind): number {
  if (one.group !== other.group) return one.group < other.group ? -1 : 1
  const order = compareVersions(one.version, other.version)
  return order !== 0 ? order : one.plural < other.plural ? -1 : 1
}

/** v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10: the order in which clients prefer versions. */
export function compareVersions(one: string, other: string): number {
  if (one === other) return 0
  const [left, right] = [readVersion(one), readVersion(other)]
  if (left === undefined || right === undefined) {
    if (left !== undefined || right !== undefined) return left !== undefined ? -1 : 1
    return one < other ? -1 : 1
  }
  for (const [at, value] of left.entries()) if (value !== right[at]) return right[at]! - value
  return 0
}

/** Stability, major, minor. */
function readVersion(version: string): readonly [number, number, number] | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version)
  if (match === null) return undefined
  return [match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0, Number(match[1]), Number(match[3] ?? 0)]
}
