// Finds controllers that write without end: one object, written again and again while time stands still.
import type { Change } from '../cluster/virtual-cluster.ts'

export interface WriteLoops {
  /** What goes in circles. Once it is there, it stays. */
  readonly found: string | undefined
  onChange(change: Change): void
}

export function watchWriteLoops({ now, maxWrites }: { now(): number; readonly maxWrites: number }): WriteLoops {
  let atMs = -1
  let found: string | undefined
  const counts = new Map<string, number>()
  return {
    get found() {
      return found
    },
    onChange({ kind, key }) {
      if (atMs !== now()) {
        atMs = now()
        counts.clear()
      }
      const id = `${kind.kind} ${key}`
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      if (count > maxWrites)
        found ??= `${id} was written more than ${maxWrites} times while time stood still: controllers undo each other's work`
    },
  }
}
