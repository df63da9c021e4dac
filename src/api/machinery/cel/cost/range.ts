// Ranges of sizes and costs: at least `min`, at most `max`. They stop at the largest 64-bit number, which also stands for "unknown".
// Kubernetes: github.com/google/cel-go/checker.SizeEstimate.*, CostEstimate.*

export interface Range {
  readonly min: number
  readonly max: number
}

export const largest = 2 ** 64

export const exactly = (value: number): Range => ({ min: value, max: value })
export const unknownSize: Range = { min: 0, max: largest }
export const nothing = exactly(0)
export const one = exactly(1)

const limited = (value: number) => Math.min(value, largest)

export function sum(...ranges: readonly Range[]): Range {
  let [min, max] = [0, 0]
  for (const range of ranges) {
    min += range.min
    max += range.max
  }
  return { min: limited(min), max: limited(max) }
}
export const product = (left: Range, right: Range): Range => ({
  min: limited(left.min * right.min),
  max: limited(left.max * right.max),
})
/** Rounded up. */
export const scaled = ({ min, max }: Range, factor: number): Range => ({
  min: limited(Math.ceil(min * factor)),
  max: limited(Math.ceil(max * factor)),
})
export const union = (left: Range, right: Range): Range => ({ min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) })
