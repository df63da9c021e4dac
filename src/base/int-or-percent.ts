// IntOrString values: a number, or a percentage of a total.

type IntOrPercent = number | string

const percent = /^([0-9]+)%$/

/** 25 for `25%`; undefined for anything else. */
export function parsePercent(text: string): number | undefined {
  const match = percent.exec(text)
  return match === null ? undefined : Number(match[1])
}

/** The number, or the percentage of `total`, rounded. Undefined when the value is neither. */
export function scaledValue(value: IntOrPercent, total: number, roundUp: boolean): number | undefined {
  if (typeof value === 'number') return value
  const share = parsePercent(value)
  if (share === undefined) return undefined
  // Multiplied before dividing: 0.07 * 100 is not 7 in floating point.
  const exact = (share * total) / 100
  return roundUp ? Math.ceil(exact) : Math.floor(exact)
}
