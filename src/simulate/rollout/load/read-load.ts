// Parses `--load` and `--capacity`. Pure: `fail` throws with the place of the mistake.
import type { Fail } from '../arguments.ts'
import { parseLengthMs } from '../lengths.ts'
import type { LoadPoint } from './load.ts'

type Unit = 'rps' | '%'

/** Before the capacity of a pod is known. */
interface GivenLoad {
  readonly unit: Unit
  readonly points: readonly { readonly atMs: number; readonly value: number; readonly replicas?: number }[]
}

const hint = 'Write requests a second or a utilization with their times, such as "100rps, 400rps@2m..10m" or "60%, 90%@5m"'

/** `100rps, 400rps@2m..10m`: a load that ends returns to the one before it. `400rps@2m` stays. */
export function readLoadText(text: string, fail: Fail): GivenLoad {
  const units = new Set<Unit>()
  const entries = text.split(',').map((part) => {
    const match = /^\s*([0-9]+(?:\.[0-9]+)?)\s*(rps|%)(?:\s*@\s*([0-9a-z.]+?)(?:\.\.([0-9a-z.]+))?)?\s*$/i.exec(part)
    if (match === null) return fail(`cannot read load "${part.trim()}". ${hint}`)
    const [, value, unit, from, until] = match
    units.add(unit!.toLowerCase() as Unit)
    const fromMs = from === undefined ? 0 : parseLengthMs(from)
    const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseLengthMs(until)
    if (fromMs === undefined || untilMs === undefined) return fail(`cannot read load "${part.trim()}". ${hint}`)
    if (untilMs <= fromMs) return fail(`cannot read load "${part.trim()}": it ends before it starts`)
    return { value: Number(value), fromMs, untilMs }
  })
  if (units.size > 1) fail(`cannot read load "${text}": it has requests a second and a utilization. Give one of them`)
  const times = [...new Set([0, ...entries.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])])].filter(Number.isFinite)
  const at = (atMs: number) => entries.filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs).at(-1)?.value ?? 0
  const points = times.sort((a, b) => a - b).map((atMs) => ({ atMs, value: at(atMs) }))
  return { unit: [...units][0]!, points: points.filter(({ value }, index) => index === 0 || value !== points[index - 1]!.value) }
}

/** Columns: the time, and `rps` or `utilization`. With a utilization, `replicas` may say how many pods it was measured on. */
export function readLoadFile(text: string, fail: Fail): GivenLoad {
  const [head, ...rows] = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/[,;\t]/).map((cell) => cell.trim().replaceAll('"', '')))
  const names = (head ?? []).map((name) => name.toLowerCase())
  const columnOf = (...known: readonly string[]) => names.findIndex((name) => known.includes(name))
  const time = columnOf('time', 'timestamp', 'seconds', 't')
  const rps = columnOf('rps', 'requests', 'value', 'load')
  const utilization = columnOf('utilization', 'utilisation', 'cpu', '%')
  const replicas = columnOf('replicas', 'pods')
  if (time < 0 || (rps < 0 && utilization < 0))
    return fail('cannot read the load: the first line has to name the columns, such as time,rps or time,utilization,replicas')
  let firstMs: number | undefined
  const points = rows.map((cells, index) => {
    const wrong = (what: string, cell: string | undefined) => fail(`cannot read ${what} "${cell ?? ''}" of row ${index + 1} of the load`)
    const number = (column: number, what: string) => {
      const value = Number((cells[column] ?? '').replace(/(rps|%)$/, ''))
      return cells[column] && Number.isFinite(value) && value >= 0 ? value : wrong(what, cells[column])
    }
    const moment = momentOf(cells[time] ?? '') ?? wrong('the time', cells[time])
    firstMs ??= moment
    const value = number(rps >= 0 ? rps : utilization, rps >= 0 ? 'the requests a second' : 'the utilization')
    return { atMs: moment - firstMs, value, ...(rps < 0 && replicas >= 0 && { replicas: number(replicas, 'the replicas') }) }
  })
  if (points.length === 0) fail('cannot read the load: the file has no row')
  if (points.some(({ atMs }, index) => index > 0 && atMs <= points[index - 1]!.atMs)) fail('the times of the load have to be ascending')
  return { unit: rps >= 0 ? 'rps' : '%', points }
}

/** Seconds, a duration, or a date. */
function momentOf(text: string): number | undefined {
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text) * 1000
  const length = parseLengthMs(text)
  if (length !== undefined) return length
  const date = /^[0-9]{4}-/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}

/** `50rps`. */
export function readCapacity(text: string, fail: Fail): number {
  const match = /^\s*([0-9]+(?:\.[0-9]+)?)\s*(?:rps)?\s*$/i.exec(text)
  return match !== null && Number(match[1]) > 0
    ? Number(match[1])
    : fail(`cannot read capacity "${text}". Write the requests a second that a pod serves, such as 50rps`)
}

/** In pods that work at their capacity. `size`: the pods that a utilization is of, where the load does not say. */
export function loadPoints({ unit, points }: GivenLoad, capacity: number | undefined, size: number, fail: Fail): LoadPoint[] {
  if (unit === 'rps' && capacity === undefined)
    return fail('requests a second need the requests a second that one pod serves. Add --capacity 50rps')
  return points.map(({ atMs, value, replicas = size }) => ({
    atMs,
    pods: unit === 'rps' ? value / capacity! : (value / 100) * replicas,
  }))
}
