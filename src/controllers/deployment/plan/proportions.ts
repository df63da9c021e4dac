// Proportional scaling: how the pods that a Deployment gains or loses are distributed among its active ReplicaSets.
//
// Guarantee: the final sizes can be computed from a partial scale (a ReplicaSet that is done has a share of zero; one that is
// not keeps its former size and maximum). So a scale that continues after a restart or a wait ends with the same sizes as an
// uninterrupted one.
// Kubernetes: pkg/controller/deployment.DeploymentController.scale
// Kubernetes: pkg/controller/deployment/util.GetReplicaSetProportion, getReplicaSetFraction

/** How far a ReplicaSet is with the scales of its Deployment. */
export type ScaleProgress =
  /** It has received its share of spec.replicas. */
  | 'done'
  /** The same, but of another maxSurge. */
  | 'done for another maxSurge'
  /** It has not received anything. */
  | 'due'
  /** It has received a part; the annotation has its size before. */
  | 'pending'

/** What decides about the share of a ReplicaSet. */
export interface Share {
  readonly progress: ScaleProgress
  /** The current size. */
  readonly size: number
  /** The size before the scale: the current size, unless the scale is partly done. */
  readonly base: number
  /** The Deployment's replicas plus surge that `base` belongs to. Undefined: unknown, and the share is 0. */
  readonly maxBefore: number | undefined
}

interface ScaleRequest {
  /** The newest first. */
  readonly sets: readonly Share[]
  /** The Deployment's spec.replicas; 0 scales all ReplicaSets to 0. */
  readonly replicas: number
  /** spec.replicas plus maxSurge. */
  readonly max: number
  /** How many pods may be created now. Undefined: no limit. */
  readonly room: number | undefined
  /**
   * The first step of a new scale: a ReplicaSet that is pending from an earlier scale waits if its share does not fit completely. The
   * largest never waits.
   */
  readonly isFirstStep: boolean
}

interface NextSize {
  /** The index of the ReplicaSet in the request. */
  readonly index: number
  readonly size: number
  /** It has its whole share. */
  readonly isDone: boolean
}

interface Part extends Share {
  readonly index: number
  /** The change of its size by its share. */
  gain: number
}

/** The next size of every ReplicaSet, in the order of the writes: the one that gets the remainder first. */
export function nextSizes(request: ScaleRequest): readonly NextSize[] {
  const { sets, replicas, max, room } = request
  const allowed = replicas > 0 ? max : 0
  const toAdd = allowed - sets.reduce((total, { size }) => total + size, 0)
  if (toAdd === 0) return sets.map(({ size }, index) => ({ index, size, isDone: true }))
  const parts = toAdd > 0 ? sortForGrowth(sets) : sortForShrinking(sets)
  const remainder = shareOut(parts, toAdd, request)
  if (toAdd < 0) return shrink(parts, remainder)
  const first = parts.find(({ progress }) => progress === 'due' || progress === 'pending') ?? parts[0]!
  const ordered = [first, ...parts.filter((part) => part !== first)]
  return grow(parts, ordered, remainder, room === undefined ? toAdd : Math.min(room, toAdd), request.isFirstStep)
}

const sortForGrowth = (sets: readonly Share[]): Part[] =>
  sets.map((set, index) => ({ ...set, index, gain: 0 })).sort((a, b) => b.base - a.base || a.index - b.index)

const sortForShrinking = (sets: readonly Share[]): Part[] =>
  sets.map((set, index) => ({ ...set, index, gain: 0 })).sort((a, b) => b.size - a.size || b.index - a.index)

/**
 * Gives every ReplicaSet its rounded share, while there is something left; returns the remainder.
 * 50, 30 and 20 of 110, scaled to 130: 9, 5 and 4 of the 30 pods to add; the remainder is 12.
 */
function shareOut(parts: readonly Part[], toAdd: number, { replicas, max, room }: ScaleRequest): number {
  let added = 0
  for (const part of parts) {
    const fraction = fractionOf(part, replicas, max)
    // Without a limit this is the arithmetic of Kubernetes, in which a share may have the opposite sign.
    const isClamped = room !== undefined || part.progress === 'pending'
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

/** The remainder is taken from the largest ReplicaSet, then from the next ones. */
function shrink(parts: readonly Part[], remainder: number): NextSize[] {
  let left = remainder
  return parts.map(({ index, size, gain }) => {
    const next = Math.max(0, size + gain + left)
    left = Math.min(0, size + gain + left)
    return { index, size: next, isDone: true }
  })
}

/** Shares first, starting with the largest ReplicaSet; then the remainder, to the largest. `room` may be too small for all of it. */
function grow(parts: readonly Part[], ordered: readonly Part[], remainder: number, room: number, isFirstStep: boolean): NextSize[] {
  const whole = parts.reduce((total, { gain }) => total + gain, remainder)
  const isWhole = room >= whole
  const given = new Map<Part, number>()
  let left = room
  for (const part of parts) {
    const fits = isWhole || part.gain <= left
    const gain = fits ? part.gain : isFirstStep && part.progress === 'pending' && part !== parts[0] ? 0 : left
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
