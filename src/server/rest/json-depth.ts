// A limit on the nesting of JSON, which protects the stack of recursive code.
// Ours: a limit that protects the stack.

export const maxDepth = 1000

/** Not recursive, so that any value can be checked. */
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

/** False for a text that is too short to be nested too deep. */
export const mayBeTooDeep = (text: string): boolean => text.length > 2 * maxDepth
