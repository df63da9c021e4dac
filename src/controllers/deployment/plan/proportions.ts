// The arithmetic of proportional scaling: how the pods that a Deployment gains or loses are shared among its active sets.
//
// Guarantee: what each set is to become in the end follows from what a half-done scale leaves behind (a set that is done
// has a share of zero; one that is not keeps its size and maximum from before), so a scale that is taken up again, after
// a stop or after a wait, ends at the sizes of one that was never interrupted.

export interface Share {
  /** Its size now. */
  readonly size: number
  /** Its size before the scale: the same, unless the scale is half done. */
  readonly base: number
  /** The Deployment's size and surge that `base` belongs to. Undefined: not known, and no share can be told. */
  readonly maxBefore: number | undefined
  /** It was left half scaled. */
  readonly isPending: boolean
  /** It has not had its part of this scale. */
  readonly isStale: boolean
}

export interface ScaleRequest {
  /** The newest first. */
  readonly sets: readonly Share[]
  /** The Deployment's size; 0 empties all sets. */
  readonly replicas: number
  /** Its size and surge. */
  readonly max: number
  /** How many pods may be added now. Undefined: as many as it takes. */
  readonly room: number | undefined
  /** The first step of a new scale: a set that is pending from an earlier one waits if its share does not fit whole. */
  readonly isFirstStep: boolean
}

export interface NextSize {
  /** Which set, by its place in the request. */
  readonly index: number
  readonly size: number
  /** It has its part: nothing is owed to it. */
  readonly isDone: boolean
}

interface Part extends Share {
  readonly index: number
  /** What it gains, or loses, by its share. */
  gain: number
}

/** The next size of every set, in the order in which they must be written: the one that takes the remainder first. */
export function nextSizes(request: ScaleRequest): readonly NextSize[] {
  const { sets, replicas, max, room } = request
  const allowed = replicas > 0 ? max : 0
  const toAdd = allowed - sets.reduce((total, { size }) => total + size, 0)
  if (toAdd === 0) return sets.map(({ size }, index) => ({ index, size, isDone: true }))
  const parts = toAdd > 0 ? sortForGrowth(sets) : sortForShrinking(sets)
  const remainder = shareOut(parts, toAdd, request)
  const first = parts.find(({ isStale, isPending }) => isStale || isPending) ?? parts[0]!
  const ordered = [first, ...parts.filter((part) => part !== first)]
  if (toAdd < 0) return shrink(ordered, remainder)
  return grow(parts, ordered, remainder, room === undefined ? toAdd : Math.min(room, toAdd), request.isFirstStep)
}

const sortForGrowth = (sets: readonly Share[]): Part[] =>
  sets.map((set, index) => ({ ...set, index, gain: 0 })).sort((a, b) => b.base - a.base || a.index - b.index)

const sortForShrinking = (sets: readonly Share[]): Part[] =>
  sets.map((set, index) => ({ ...set, index, gain: 0 })).sort((a, b) => b.size - a.size || b.index - a.index)

/**
 * Gives every set its rounded share, as long as there is something to give; returns what is left.
 * 50, 30 and 20 of 110, to 130: 9, 5 and 4 of the 30 that may be added; 12 are left.
 */
function shareOut(parts: readonly Part[], toAdd: number, { replicas, max, room }: ScaleRequest): number {
  let added = 0
  for (const part of parts) {
    const fraction = fractionOf(part, replicas, max)
    // Without a limit on the room this is Kubernetes' arithmetic: a share of another sign is possible.
    const isClamped = room !== undefined || part.isPending
    const wanted = !isClamped ? fraction : toAdd > 0 ? Math.max(0, fraction) : Math.min(0, fraction)
    if (added === toAdd) continue
    part.gain = toAdd > 0 ? Math.min(wanted, toAdd - added) : Math.max(wanted, toAdd - added)
    added += part.gain
  }
  return toAdd - added
}

function fractionOf({ size, base, maxBefore }: Share, replicas: number, max: number): number {
  if (replicas === 0) return -size
  if (maxBefore === undefined || maxBefore === 0) return 0
  return Math.trunc((base * max) / maxBefore + 0.5) - size
}

/** The remainder comes off the largest; what it does not have, off the next. */
function shrink(ordered: readonly Part[], remainder: number): NextSize[] {
  let left = remainder
  return ordered.map(({ index, size, gain }) => {
    const next = Math.max(0, size + gain + left)
    left = Math.min(0, size + gain + left)
    return { index, size: next, isDone: true }
  })
}

/** The shares first, from the largest set; then the remainder, to the largest. `room` may not do for all of it. */
function grow(parts: readonly Part[], ordered: readonly Part[], remainder: number, room: number, isFirstStep: boolean): NextSize[] {
  const whole = parts.reduce((total, { gain }) => total + gain, remainder)
  const isWhole = room >= whole
  const given = new Map<Part, number>()
  let left = room
  for (const part of parts) {
    const fits = isWhole || part.gain <= left
    const gain = fits ? part.gain : isFirstStep && part.isPending ? 0 : left
    given.set(part, gain)
    left -= gain
  }
  return ordered.map((part, place) => {
    const share = given.get(part)!
    const more = place > 0 ? 0 : isWhole ? remainder : Math.min(remainder, left)
    const owed = part.gain + (place === 0 ? remainder : 0)
    return { index: part.index, size: Math.max(0, part.size + share + more), isDone: share + more === owed }
  })
}
