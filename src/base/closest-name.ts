// The known name that a misspelt one most likely stands for.

/** At most this share of the letters may differ. */
const maxShare = 0.34

/** Undefined where no known name is similar. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance <= Math.max(1, Math.floor(candidate.length * maxShare)) && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance }
  }
  return best?.name
}

/** ` Did you mean peakPods?`, or nothing. */
export const didYouMean = (name: string, known: Iterable<string>): string => {
  const closest = closestName(name, known)
  return closest === undefined ? '' : ` Did you mean ${closest}?`
}

/** Inserted, removed, replaced and swapped letters. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let distance = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) distance = Math.min(distance, before[j - 2]! + 1)
      next.push(distance)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
