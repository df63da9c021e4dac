// What changed between two revisions of a pod template.

export interface Difference {
  readonly path: string
  readonly before: string
  readonly after: string
}

const maxDifferences = 50

/** In the order of the newer value. Lists whose items have names are compared by name. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = []
  compare('', before, after, found)
  return found.slice(0, maxDifferences)
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNamed = (value: unknown): value is readonly { readonly name: string }[] =>
  Array.isArray(value) && value.every((item) => isMap(item) && typeof item['name'] === 'string')

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (found.length >= maxDifferences || before === after) return
  if (isNamed(before) && isNamed(after)) {
    const names = [...new Set([...after, ...before].map(({ name }) => name))]
    for (const name of names)
      compare(
        `${path}[${name}]`,
        before.find((one) => one.name === name),
        after.find((one) => one.name === name),
        found,
      )
    return
  }
  if (isMap(before) && isMap(after)) {
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)]))
      compare(path === '' ? key : `${path}.${key}`, before[key], after[key], found)
    return
  }
  const [a, b] = [shown(before), shown(after)]
  if (a !== b) found.push({ path, before: a, after: b })
}

const shown = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value))
