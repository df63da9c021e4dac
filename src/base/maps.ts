// Helpers for maps: values that are created on first use, counts that are removed at zero, groups, and sorted keys.

interface MapLike<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of the key, which `make` makes on first use. */
export function getOrAdd<K, V>(map: MapLike<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Adds to the count of the key. A count that becomes zero is removed. */
export function addCount<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** Deletes the entry that was added first, if there are more than `max`. */
export function dropOldest<K>(map: Map<K, unknown>, max: number): void {
  if (map.size > max) map.delete(map.keys().next().value!)
}

/** The items by key, in their order. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) getOrAdd(groups, keyOf(item), () => []).push(item)
  return groups
}

/** A set of values for each key. A key without values is absent: values are removed with `remove`. */
export class SetMap<K, V> extends Map<K, Set<V>> {
  add(key: K, value: V): void {
    getOrAdd(this, key, () => new Set()).add(value)
  }

  remove(key: K, value: V): void {
    const values = this.get(key)
    values?.delete(value)
    if (values?.size === 0) this.delete(key)
  }

  /** Removes the key and returns its values. */
  take(key: K): Iterable<V> {
    const values = this.get(key) ?? []
    this.delete(key)
    return values
  }
}

/** The same entries in the order of their keys. A key may be `__proto__`. */
export function sortKeys<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
