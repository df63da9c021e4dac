// The measures side by side, for a terminal. Pure.
import { exceededCap } from '../exceeded-cap.ts'
import { formatLength, formatLost, formatShare } from '../lengths.ts'
import { hadOldPods } from '../outcome-end.ts'
import type { Measures, Outcome, Percentiles, Policy, SimulationResult } from '../result.ts'
import { formatMoney } from './settings-table.ts'
import { type Colour, paint, type Style, wrap } from './style.ts'
import { shortNames, wordsFor } from './words.ts'

interface Row {
  readonly key: keyof Measures
  readonly label: string
  format(value: number): string
  /** The text of a cell without a value. */
  readonly missing?: string
}

const whole = (value: number) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
const tenths = (value: number) => (value < 1000 ? String(Math.round(value * 10) / 10) : whole(value))

const rows: readonly Row[] = [
  { key: 'peakPods', label: 'peak pods', format: whole },
  { key: 'peakOverCap', label: 'over the cap', format: whole },
  { key: 'availableAfterMs', label: 'until available', format: formatLength, missing: 'never' },
  { key: 'oldGoneAfterMs', label: 'until old are gone', format: formatLength, missing: 'never' },
  { key: 'completeAfterMs', label: 'until complete', format: formatLength, missing: 'never' },
  { key: 'drainedAfterMs', label: 'until drained', format: formatLength, missing: 'never' },
  { key: 'lowestAvailability', label: 'lowest availability', format: formatShare },
  { key: 'podSeconds', label: 'pod-seconds', format: whole },
  { key: 'peakNodes', label: 'peak nodes', format: whole },
  { key: 'nodeMinutes', label: 'node-minutes', format: tenths },
  { key: 'cost', label: 'cost', format: formatMoney },
  { key: 'waitedForRoom', label: 'waited for room', format: whole },
  { key: 'matchedNoNode', label: 'matched no node', format: whole },
  { key: 'deadlinesPassed', label: 'deadlines passed', format: whole },
  { key: 'lostLoad', label: 'load not served', format: formatLost },
  { key: 'lostRequests', label: 'requests not served', format: whole },
  { key: 'smallestSize', label: 'smallest size', format: whole },
  { key: 'largestSize', label: 'largest size', format: whole },
  { key: 'rescales', label: 'size changes', format: whole },
  { key: 'oscillations', label: 'oscillations', format: whole },
  { key: 'peakWaiting', label: 'waiting for the pacer', format: whole },
  { key: 'neededDeadlineMs', label: 'deadline to exceed', format: formatLength },
]

const headings: Readonly<Record<Policy, readonly [string, string]>> = {
  None: ['', 'no policy'],
  TerminationStarted: ['Termination', 'Started'],
  TerminationComplete: ['Termination', 'Complete'],
  'TerminationComplete+terminatingAsActive': ['TerminationComplete', '+terminatingAsActive'],
  Pacer: ['', 'with the pacer'],
  'Pacer+evictions': ['+ pacer', '+ evictions'],
}

const usualLabelWidth = 21
/** Rows that are shown only where there is something. */
const ifAny = new Set<keyof Measures>(['matchedNoNode', 'peakWaiting', 'neededDeadlineMs', 'cost'])
/** Rows that are shown only where they apply. */
const ifKnown = new Set<keyof Measures>(['lostLoad', 'lostRequests', 'smallestSize', 'largestSize', 'rescales', 'oscillations'])
const usualGap = 2
/** Rows that are shown also where all columns are equal: they answer the question. */
const always = new Set<keyof Measures>(['peakPods', 'peakOverCap', 'availableAfterMs', 'completeAfterMs'])

const ofNodes = new Set<keyof Measures>(['peakNodes', 'nodeMinutes', 'cost', 'drainedAfterMs'])

/** `isPart`: the outcomes are of one workload, and nodes belong to all. */
export function renderTable(style: Style, { outcomes, runs }: Pick<SimulationResult, 'outcomes' | 'runs'>, isPart = false): string[] {
  const hadOld = hadOldPods(outcomes)
  const words = wordsFor(outcomes)
  const isAny = (key: keyof Measures) => outcomes.some(({ measures, spread }) => (spread?.[key]?.max ?? measures[key] ?? 0) > 0)
  const isKnown = (key: keyof Measures) => outcomes.some(({ measures }) => measures[key] !== undefined)
  const isShown = (key: keyof Measures) =>
    words.has(key) &&
    !(isPart && ofNodes.has(key)) &&
    (key !== 'oldGoneAfterMs' || hadOld) &&
    (key !== 'drainedAfterMs' || isKnown('drains')) &&
    (!ifAny.has(key) || isAny(key)) &&
    (!ifKnown.has(key) || isKnown(key))
  const equalText = ({ key, format }: Row): string | undefined => {
    const [first, ...rest] = outcomes.map(({ measures }) => (measures[key] === undefined ? undefined : format(measures[key])))
    const isNotable = outcomes.some(({ measures }) => colourOf(key, measures) !== undefined)
    return !style.isWide &&
      !always.has(key) &&
      !isNotable &&
      runs === 1 &&
      outcomes.length > 1 &&
      first !== undefined &&
      rest.every((text) => text === first)
      ? first
      : undefined
  }
  const known = rows.filter(({ key }) => isShown(key))
  const shown = known.filter((row) => equalText(row) === undefined)
  const equal = known.flatMap((row) => (equalText(row) === undefined || !isAny(row.key) ? [] : [`${row.label} ${equalText(row)}`]))
  // The series are those of all workloads together.
  const capOf = (outcome: Outcome) => (isPart && outcome.measures.rescales === undefined ? outcome.measures.cap : exceededCap(outcome))
  const [cap, ...others] = new Set(outcomes.map(capOf))
  // Of several workloads each has a cap of its own: one that is below it does not make up for another that is over it.
  const hasSeveral = !isPart && outcomes.some(({ workloads = [] }) => workloads.length > 1)
  const over = hasSeveral ? words.overSeveral : cap === undefined || others.length > 0 ? words.over : `${words.over} of ${whole(cap)}`
  const labelOf = ({ key, label }: Row) => (key === 'peakOverCap' ? over : label)
  const body = shown.flatMap((row) => linesOf(row, labelOf(row), outcomes, runs))
  const headingOf = (policy: Policy) => (policy === 'None' ? (['', words.noPolicy] as const) : headings[policy])
  const shortHeadingOf = (policy: Policy) => ['', policy === 'None' ? words.noPolicy : shortNames[policy]] as const
  const titlesBy = (read: (policy: Policy) => readonly [string, string]) =>
    outcomes.map(({ label, policy }) => (label === undefined ? read(policy) : (['', label] as const)))
  const { titles, widths, labelWidth, gap } = layoutFor(style, body, titlesBy(headingOf), titlesBy(shortHeadingOf))
  const line = (label: string, cells: Line['cells']) =>
    `${label.padEnd(labelWidth)}${cells.map(({ text, colour }, column) => ' '.repeat(gap + widths[column]! - text.length) + paint(style, colour, text)).join('')}`.trimEnd()
  const heading = [0, 1].map((part) =>
    line(
      '',
      titles.map((title) => ({ text: title[part]!, colour: 'bold' as const })),
    ),
  )
  return [
    ...heading.filter((text) => text !== ''),
    ...body.map(({ label, cells }) => line(label, cells)),
    ...(equal.length === 0 ? [] : wrap(`Equal: ${equal.join(', ')}.`, style.width, '  ').map((text) => paint(style, 'dim', text))),
  ]
}

type Titles = readonly (readonly [string, string])[]

/** The widest layout that fits: on narrow terminals, and with many policies, columns have short names and less room between them. */
function layoutFor(style: Style, body: readonly Line[], titles: Titles, shortTitles: Titles) {
  const longestLabel = Math.max(...body.map(({ label }) => label.length))
  const layouts = [
    { titles, labelWidth: usualLabelWidth, gap: usualGap },
    { titles: shortTitles, labelWidth: longestLabel, gap: usualGap },
    { titles: shortTitles, labelWidth: longestLabel, gap: 1 },
  ].map((layout) => ({
    ...layout,
    widths: layout.titles.map((title, column) =>
      Math.max(...title.map(({ length }) => length), ...body.map(({ cells }) => cells[column]!.text.length)),
    ),
  }))
  const fits = ({ labelWidth, gap, widths }: (typeof layouts)[number]) =>
    widths.reduce((sum, width) => sum + gap + width, labelWidth) <= style.width
  return layouts.find(fits) ?? layouts.at(-1)!
}

interface Line {
  readonly label: string
  readonly cells: readonly { readonly text: string; readonly colour?: Colour | undefined }[]
}

function linesOf(row: Row, label: string, outcomes: readonly Outcome[], runs: number): Line[] {
  const { key, format, missing } = row
  if (runs === 1) {
    const cells = outcomes.map(({ measures }) => ({
      text: measures[key] === undefined ? (missing ?? '-') : format(measures[key]),
      colour: colourOf(key, measures),
    }))
    return [{ label, cells }]
  }
  const absent = missing ?? (ifAny.has(key) || ifKnown.has(key) ? '-' : 'not always')
  const ofSpread = (name: string, read: (spread: Percentiles) => number | undefined): Line => ({
    label: name,
    cells: outcomes.map(({ spread }) => {
      const value = spread?.[key] && read(spread[key])
      return { text: value === undefined ? absent : format(value), colour: value === undefined && isTime(key) ? 'red' : undefined }
    }),
  })
  const isFlat = outcomes.every(({ spread }) => spread?.[key] === undefined || spread[key].min === spread[key].max)
  if (isFlat) return [ofSpread(label, ({ p50 }) => p50)]
  const isBadWhenLow = key === 'lowestAvailability'
  return [
    ofSpread(label, ({ p50 }) => p50),
    // Of fewer runs, these are the worst.
    ...(isBadWhenLow || runs < 10 ? [] : [ofSpread('  90% of runs within', ({ p90 }) => p90)]),
    ...(isBadWhenLow || runs < 100 ? [] : [ofSpread('  99% of runs within', ({ p99 }) => p99)]),
    ofSpread('  worst', ({ min, max }) => (isBadWhenLow ? min : max)),
  ]
}

function colourOf(key: keyof Measures, measures: Measures): Colour | undefined {
  // Not green for a rollout that does not complete: it may still exceed the cap.
  if (key === 'peakPods' || key === 'peakOverCap')
    return measures.peakOverCap > 0 ? 'red' : measures.completeAfterMs === undefined ? undefined : 'green'
  if (key === 'waitedForRoom' || key === 'matchedNoNode' || key === 'deadlinesPassed') return measures[key] > 0 ? 'yellow' : undefined
  if (key === 'lostLoad' || key === 'oscillations') return (measures[key] ?? 0) > 0 ? 'yellow' : undefined
  return measures[key] === undefined && key !== 'oldGoneAfterMs' && !ifAny.has(key) && !ifKnown.has(key) ? 'red' : undefined
}

const isTime = (key: keyof Measures) => key === 'availableAfterMs' || key === 'completeAfterMs'
