// Lines and areas of values that hold until the next moment.

export interface Places {
  x(ms: number): number
  y(value: number): number
}

const rounded = (value: number) => Math.round(value * 100) / 100

/** Along the values, from the first index to the last. */
export function stepLine(times: readonly number[], values: ArrayLike<number>, indexes: readonly number[], { x, y }: Places): string {
  let height = rounded(y(values[indexes[0]!]!))
  let path = `M${rounded(x(times[indexes[0]!]!))},${height}`
  for (const index of indexes) {
    const next = rounded(y(values[index]!))
    if (next === height) continue
    path += `H${rounded(x(times[index]!))}V${next}`
    height = next
  }
  return `${path}H${rounded(x(times[indexes.at(-1)!]!))}`
}

/** Between two lines: along the upper one, and back along the lower. */
export function stepArea(
  times: readonly number[],
  upper: ArrayLike<number>,
  lower: ArrayLike<number>,
  indexes: readonly number[],
  places: Places,
): string {
  const { x, y } = places
  let height = rounded(y(lower[indexes.at(-1)!]!))
  let back = `V${height}`
  for (let place = indexes.length - 2; place >= 0; place--) {
    const next = rounded(y(lower[indexes[place]!]!))
    if (next === height) continue
    back += `H${rounded(x(times[indexes[place + 1]!]!))}V${next}`
    height = next
  }
  return `${stepLine(times, upper, indexes, places)}${back}H${rounded(x(times[indexes[0]!]!))}Z`
}

/** Where the upper line is above the lower one, and only there: an area for each such time. */
export function stepAreasAbove(
  times: readonly number[],
  upper: ArrayLike<number>,
  lower: ArrayLike<number>,
  indexes: readonly number[],
  places: Places,
): string {
  const isAbove = (place: number) => upper[indexes[place]!]! > lower[indexes[place]!]!
  const areas: string[] = []
  for (let from = 0; from < indexes.length; from++) {
    if (!isAbove(from)) continue
    let to = from
    while (to < indexes.length && isAbove(to)) to++
    areas.push(stepArea(times, upper, lower, indexes.slice(from, to + 1), places))
    from = to
  }
  return areas.join('')
}
