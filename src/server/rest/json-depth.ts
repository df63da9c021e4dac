// JSON may be nested as deep as its sender likes; our own stack may not.

export const maxDepth = 1000

/** Without recursion, so that it can be asked of anything. */
export function isTooDeep(value: unknown): boolean {
  let level: object[] = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    const next: object[] = []
    for (const container of level) for (const inner of Object.values(container)) if (isContainer(inner)) next.push(inner)
    level = next
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A text that is too short for it needs no look. */
export const mayBeTooDeep = (text: string): boolean => text.length > 2 * maxDepth
