// Pods over time, as a small picture of characters. Pure.
import { formatLength } from '../lengths.ts'
import type { Series } from '../result.ts'
import { type Colour, paint, type Style } from './style.ts'
import type { Words } from './words.ts'

type Band = 'new' | 'old' | 'starting' | 'pending' | 'lost' | 'terminating' | 'waiting'
/** From the bottom. */
const bands: readonly Band[] = ['new', 'old', 'starting', 'pending', 'lost', 'terminating', 'waiting']

const looks: Readonly<
  Record<Band | 'cap', { readonly mark: string; readonly ascii: string; readonly colour: Colour; readonly text: string }>
> = {
  new: { mark: '█', ascii: '#', colour: 'green', text: 'ready' },
  old: { mark: '▓', ascii: '=', colour: 'blue', text: 'ready, old' },
  starting: { mark: '▒', ascii: '+', colour: 'cyan', text: 'starting' },
  pending: { mark: '∙', ascii: '.', colour: 'yellow', text: 'waiting' },
  lost: { mark: '×', ascii: 'x', colour: 'yellow', text: 'on a lost node' },
  terminating: { mark: '░', ascii: '/', colour: 'red', text: 'terminating' },
  waiting: { mark: '·', ascii: ':', colour: 'grey', text: 'waiting for the pacer' },
  cap: { mark: '╌', ascii: '-', colour: 'grey', text: 'replicas + maxSurge' },
}

const markOf = (style: Style, name: Band | 'cap') => paint(style, looks[name].colour, style.isUtf8 ? looks[name].mark : looks[name].ascii)

/** What the marks mean, of those that occur. */
export function renderLegend(style: Style, series: readonly Series[], words: Pick<Words, 'cap' | 'ready'>): string {
  const used = bands.filter((band) => series.some((one) => valuesOf(one).some((value) => value[band] > 0)))
  return [...used, 'cap' as const]
    .map((name) => `${markOf(style, name)} ${name === 'cap' ? words.cap : name === 'new' ? words.ready : looks[name].text}`)
    .join('  ')
}

type Values = Readonly<Record<Band, number>>

function valuesOf(series: Series): Values[] {
  const newest = Math.max(...series.layers.map(({ revision }) => revision))
  const hasOld = series.layers.some(({ revision }) => revision < newest)
  return series.times.map((_, index) => {
    const values: Record<Band, number> = { new: 0, old: 0, starting: 0, pending: 0, lost: 0, terminating: 0, waiting: 0 }
    for (const { revision, state, values: counts } of series.layers) {
      const band = state === 'ready' ? (hasOld && revision < newest ? 'old' : 'new') : state
      values[band] += counts[index]!
    }
    return values
  })
}

const totalOf = (values: Values) => bands.reduce((sum, band) => sum + values[band], 0)

interface ChartSize {
  /** Of the picture with its axis. */
  readonly width: number
  readonly rows: number
  /** The largest number of pods on the scale, for charts side by side. */
  readonly most: number
  /** The end of the time axis, for charts of the same time. */
  readonly untilMs: number
}

/** When the pods changed last: the chart ends there. */
export function lastMoveMs({ times, layers, cap }: Series): number {
  const last = times.length - 1
  let at = last
  while (at > 0 && [...layers.map(({ values }) => values), cap].every((values) => values[at - 1] === values[last])) at--
  return times[at]!
}

export const highestOf = (series: Series): number => Math.max(1, ...series.cap, ...valuesOf(series).map(totalOf))

export function renderChart(style: Style, series: Series, { width, rows, most, untilMs }: ChartSize): string[] {
  const axisWidth = Math.max(String(most).length, 2)
  const columns = Math.max(10, width - axisWidth - 1)
  const slices = sliceUp(series, columns, untilMs)
  const perRow = most / rows
  const rowOf = (pods: number) => Math.min(rows - 1, Math.max(0, Math.ceil(pods / perRow) - 1))
  const lastCap = series.cap.at(-1)!
  const lines: string[] = []
  for (let row = rows - 1; row >= 0; row--) {
    const label = rowOf(lastCap) === row && lastCap > 0 ? lastCap : row === rows - 1 ? Math.round(most) : undefined
    const cells = slices.map(({ values, cap }) => {
      // Few pods do not reach the middle of the lowest row, and must not look like none.
      const band = bandAt(values, (row + 0.5) * perRow) ?? (row === 0 ? bandAt(values, totalOf(values) / 2) : undefined)
      if (band !== undefined) return markOf(style, band)
      return cap > 0 && rowOf(cap) === row ? markOf(style, 'cap') : ' '
    })
    lines.push(`${String(label ?? '').padStart(axisWidth)} ${cells.join('')}`.trimEnd())
  }
  const end = formatLength(untilMs)
  lines.push(`${' '.repeat(axisWidth)} 0${end.padStart(columns - 1)}`)
  return lines
}

/** What is to be seen at that height. */
function bandAt(values: Values, height: number): Band | undefined {
  let top = 0
  for (const band of bands) {
    top += values[band]
    if (values[band] > 0 && height <= top) return band
  }
  return undefined
}

/** Equal parts of the time; of each, the moment with the most pods. */
function sliceUp(series: Series, columns: number, endMs: number): { readonly values: Values; readonly cap: number }[] {
  const values = valuesOf(series)
  const slices: { values: Values; cap: number }[] = []
  let at = 0
  for (let column = 0; column < columns; column++) {
    const sliceEndMs = ((column + 1) * endMs) / columns
    let best = at
    while (at + 1 < series.times.length && series.times[at + 1]! < sliceEndMs) {
      at++
      if (totalOf(values[at]!) > totalOf(values[best]!)) best = at
    }
    slices.push({ values: values[best]!, cap: series.cap[best]! })
  }
  return slices
}
