// Compares the objects at one moment of a run with those of undisturbed runs. Pure.
import { getOrAdd } from '../../base/maps.ts'
import { type Identities, leavesOf, normalized, parse } from './identity.ts'

export interface Difference {
  readonly type: 'left-behind' | 'missing' | 'stuck' | 'different'
  readonly identity: string
  /** Of the field, for `different`. */
  readonly path: string
  readonly expected: string
  readonly found: string
}

/** Derived from other objects by the cluster itself. */
const ignoredKeys = ['endpoints/', 'endpointslices.discovery.k8s.io/']

type Leaves = ReadonlyMap<string, string>

export class ExpectedEnd {
  readonly #identities: Identities
  /** The objects of each undisturbed run by identity. */
  readonly #ends: readonly ReadonlyMap<string, readonly Leaves[]>[]
  /** `identity path`: fields that differ by nature. */
  readonly #masks = new Set<string>()

  constructor(ends: readonly ReadonlyMap<string, string>[], identities: Identities) {
    this.#identities = identities
    this.#ends = ends.map((end) => this.#read(end))
    const [first, ...others] = this.#ends
    for (const other of others)
      for (const [identity, objects] of first ?? []) {
        const counterparts = other.get(identity) ?? []
        for (const [i, leaves] of objects.entries()) this.#maskDifferences(identity, leaves, counterparts[i] ?? new Map())
      }
  }

  #maskDifferences(identity: string, one: Leaves, other: Leaves): void {
    for (const path of new Set([...one.keys(), ...other.keys()]))
      if (one.get(path) !== other.get(path)) this.#masks.add(`${identity} ${path}`)
  }

  #read(end: ReadonlyMap<string, string>): Map<string, Leaves[]> {
    const found = new Map<string, Leaves[]>()
    for (const [key, json] of end) {
      if (ignoredKeys.some((prefix) => key.startsWith(prefix))) continue
      const identity = this.#identities.of(key, json)
      getOrAdd(found, identity, () => []).push(leavesOf(normalized(parse(json), identity.includes('*'))))
    }
    for (const objects of found.values()) objects.sort((a, b) => ([...a.entries()].join() < [...b.entries()].join() ? -1 : 1))
    return found
  }

  /** Empty: an undisturbed run may end like this. */
  differences(end: ReadonlyMap<string, string>): Difference[] {
    const found = this.#read(end)
    const expected = this.#ends[0] ?? new Map<string, readonly Leaves[]>()
    const differences: Difference[] = []
    for (const identity of new Set([...expected.keys(), ...found.keys()])) {
      const wanted = expected.get(identity) ?? []
      const actual = found.get(identity) ?? []
      const counts = this.#ends.map((one) => one.get(identity)?.length ?? 0)
      if (actual.length > Math.max(...counts)) {
        const isStuck = actual.some((leaves) => leaves.has('metadata.deletionTimestamp'))
        const type = isStuck ? 'stuck' : 'left-behind'
        differences.push({ type, identity, path: '', expected: String(wanted.length), found: String(actual.length) })
      } else if (actual.length < Math.min(...counts))
        differences.push({ type: 'missing', identity, path: '', expected: String(wanted.length), found: String(actual.length) })
      else
        for (const [i, leaves] of actual.entries()) {
          const other = wanted[i]
          if (other !== undefined) differences.push(...this.#fieldDifferences(identity, other, leaves))
        }
    }
    return differences
  }

  *#fieldDifferences(identity: string, expected: Leaves, found: Leaves): Generator<Difference> {
    for (const path of new Set([...expected.keys(), ...found.keys()])) {
      const [wanted, actual] = [expected.get(path), found.get(path)]
      if (wanted === actual || this.#masks.has(`${identity} ${path}`)) continue
      const type = path === 'metadata.deletionTimestamp' && wanted === undefined ? 'stuck' : 'different'
      yield { type, identity, path, expected: wanted ?? 'absent', found: actual ?? 'absent' }
    }
  }
}
