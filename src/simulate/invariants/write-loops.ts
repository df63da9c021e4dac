// Finds controllers that write endlessly: one object, many times at the same virtual time.
import type { Change } from '../../cluster/virtual-cluster.ts'

interface WriteLoops {
  /** The first endless write that was found. */
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
        found ??= `${id} was written more than ${maxWrites} times at the same virtual time: controllers undo each other's work`
    },
  }
}
