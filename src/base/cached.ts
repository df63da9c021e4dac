/** The function, which is called once: later calls give the same result. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** The total length of the keys of one cache. A client of the server may send long ones. */
const maxCharacters = 1_000_000

/**
 * The function with a cache of its results, for texts that recur, such as the names, times and quantities of many pods. The cache is
 * emptied when it has `maxResults`, or too many characters. An exception is not cached.
 */
export function cached<R>(maxResults: number, compute: (text: string) => R): (text: string) => R {
  const results = new Map<string, R>()
  let characters = 0
  return (text) => {
    const known = results.get(text)
    if (known !== undefined || results.has(text)) return known as R
    const result = compute(text)
    const { length } = String(text)
    if (length > maxCharacters) return result
    if (results.size >= maxResults || characters + length > maxCharacters) {
      results.clear()
      characters = 0
    }
    characters += length
    results.set(text, result)
    return result
  }
}
