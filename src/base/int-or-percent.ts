// Numbers that may be written as a share of another: `2` or `25%`.

export type IntOrPercent = number | string

const percent = /^([0-9]+)%$/

/** The percentage in a text such as `25%`, or undefined. */
export function parsePercent(text: string): number | undefined {
  const match = percent.exec(text)
  return match === null ? undefined : Number(match[1])
}

/** The number meant, with `total` as the whole; a fraction is rounded up or down. Undefined when it is neither a number nor a percentage. */
export function scaledValue(value: IntOrPercent, total: number, roundUp: boolean): number | undefined {
  if (typeof value === 'number') return value
  const share = parsePercent(value)
  if (share === undefined) return undefined
  // Whole numbers first: 0.07 * 100 is not 7 in floating point.
  const exact = (share * total) / 100
  return roundUp ? Math.ceil(exact) : Math.floor(exact)
}
