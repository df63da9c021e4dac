// The formulas of Kubernetes for scaling and rolling updates, as a model to test the planners against.

export interface ModelSet {
  readonly size: number
  readonly available: number
  /** The max-replicas annotation. */
  readonly max: number
  /** A higher number is newer. */
  readonly born: number
}

/** Proportional scaling of two or more active sets; sizes in the order of `sets`. */
export function kubernetesScale(sets: readonly ModelSet[], replicas: number, surge: number): number[] {
  const allowed = replicas > 0 ? replicas + surge : 0
  const toAdd = allowed - sets.reduce((total, { size }) => total + size, 0)
  const order = sets.map((_, index) => index)
  if (toAdd > 0) order.sort((a, b) => sets[b]!.size - sets[a]!.size || sets[b]!.born - sets[a]!.born)
  if (toAdd < 0) order.sort((a, b) => sets[b]!.size - sets[a]!.size || sets[a]!.born - sets[b]!.born)
  const next = sets.map(({ size }) => size)
  let added = 0
  for (const index of order) {
    const { size, max } = sets[index]!
    if (toAdd === 0 || added === toAdd) continue
    const exact = (size * (replicas + surge)) / max
    const fraction = replicas === 0 ? -size : Math.floor(exact + 0.5) - size
    const proportion = toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added)
    next[index] = size + proportion
    added += proportion
  }
  if (toAdd !== 0) next[order[0]!] = Math.max(0, next[order[0]!]! + toAdd - added)
  return next
}

/** The maximum size of the new ReplicaSet. */
export function kubernetesNewSize(newSize: number, total: number, replicas: number, surge: number): number {
  if (newSize >= replicas) return replicas
  if (total >= replicas + surge) return newSize
  return newSize + Math.min(replicas + surge - total, replicas - newSize)
}

/** The sizes of the old ReplicaSets after one step; `old` is ordered oldest first. */
export function kubernetesOldSizes(old: readonly ModelSet[], next: ModelSet, replicas: number, unavailable: number): number[] {
  const sizes = old.map(({ size }) => size)
  const minAvailable = replicas - unavailable
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const most = total + next.size - minAvailable - (next.size - next.available)
  if (total === 0 || most <= 0) return sizes
  let cleaned = 0
  old.forEach(({ size, available }, index) => {
    if (cleaned >= most || size === 0 || size === available) return
    const count = Math.min(most - cleaned, size - available)
    sizes[index] = size - count
    cleaned += count
  })
  const available = next.available + old.reduce((sum, set) => sum + set.available, 0)
  let down = 0
  old.forEach((_, index) => {
    if (available <= minAvailable || down >= available - minAvailable || sizes[index] === 0) return
    const count = Math.min(sizes[index]!, available - minAvailable - down)
    sizes[index] = sizes[index]! - count
    down += count
  })
  return sizes
}
