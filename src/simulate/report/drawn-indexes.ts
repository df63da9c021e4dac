// Which of many points are drawn. A screen has a thousand columns, a run may have a hundred thousand moments: in each
// column the extremes of every line stay, so a peak of one moment is seen. Pure.

/**
 * Ascending indexes into `times`, the first and the last among them. Where a column of `columnMs` holds more moments than
 * can be told apart, it keeps its first and last, and where each of `lines` is highest and lowest.
 */
export function drawnIndexes(times: readonly number[], lines: readonly ArrayLike<number>[], columnMs: number): number[] {
  const kept: number[] = []
  const most = 2 + 2 * lines.length
  let from = 0
  while (from < times.length) {
    const column = Math.floor(times[from]! / columnMs)
    let to = from + 1
    while (to < times.length && Math.floor(times[to]! / columnMs) === column) to++
    if (to - from <= most) for (let index = from; index < to; index++) kept.push(index)
    else kept.push(...extremes(lines, from, to))
    from = to
  }
  return kept
}

function extremes(lines: readonly ArrayLike<number>[], from: number, to: number): number[] {
  const kept = new Set([from, to - 1])
  for (const line of lines) {
    let [lowest, highest] = [from, from]
    for (let index = from + 1; index < to; index++) {
      if (line[index]! > line[highest]!) highest = index
      if (line[index]! < line[lowest]!) lowest = index
    }
    kept.add(lowest).add(highest)
  }
  return [...kept].sort((a, b) => a - b)
}
