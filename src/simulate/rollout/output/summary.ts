// All that `rollcall simulate` prints about a result. Pure.

import { groupBy } from '../../../base/maps.ts'
import { formatLength } from '../lengths.ts'
import { isAlwaysComplete } from '../outcome-end.ts'
import type { Outcome, Series, SimulationResult } from '../result.ts'
import { completes, ends, policies } from '../result.ts'
import { highestOf, lastMoveMs, renderChart, renderLegend } from './chart.ts'
import { type RankedWorkload, renderRanking } from './ranking.ts'
import { asAscii, type Colour, paint, type Style, wrap } from './style.ts'
import { renderTable } from './table.ts'
import { wordsFor } from './words.ts'

const rowsOfChart = 8
const between = 3
/** A little rest after the last change is to be seen. */
const shownAfter = 1.08

export function renderSummary(result: SimulationResult, style: Style): string {
  const { change: steps = [], assumptions = [], approximations = [], ignored = [] } = result
  const head = `${result.title}${steps.length === 0 ? '' : `: ${shortened(steps)}`}${result.runs > 1 ? ` (${result.runs} runs, seeds ${result.seed} to ${result.seed + result.runs - 1})` : ''}`
  const notes = [
    ...(assumptions.length === 0 ? [] : painted(style, 'dim', `Assumed: ${assumptions.join('; ')}.`)),
    ...(approximations.length === 0 ? [] : painted(style, 'dim', `Approximated: ${approximations.join('; ')}.`)),
    ...(ignored.length === 0 ? [] : painted(style, 'dim', `Left out: ${groupedByKind(ignored).join(', ')}.`)),
  ]
  const lines = [
    ...painted(style, 'bold', head),
    ...renderCauses(style, result.outcomes),
    '',
    ...renderTable(style, result),
    ...renderWorkloads(style, result),
    '',
    ...renderCharts(style, result.outcomes),
    ...renderSizes(style, result.outcomes),
    ...(result.runs > 1 ? painted(style, 'dim', `The table has the medians of all runs; the chart is that of seed ${result.seed}.`) : []),
    ...renderStuck(style, result.outcomes),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(result.advice === undefined ? [] : ['', ...wrap(result.advice, style.width)]),
    // Not wrapped: commands are copied.
    ...(result.how === undefined ? [] : ['', ...result.how]),
    ...result.outcomes.flatMap(({ policy, failures }) =>
      failures.flatMap((failure) => painted(style, 'red', `FAILED ${policy}: ${shortFailure(failure)}`)),
    ),
  ]
  const text = `${lines.join('\n')}\n`
  return style.isUtf8 ? text : asAscii(text)
}

/** A paragraph in one colour. */
const painted = (style: Style, colour: Colour, text: string) => wrap(text, style.width, '  ').map((line) => paint(style, colour, line))

/** The reasons stand above. */
const shortFailure = (failure: string) =>
  [completes, ends].some((name) => failure.startsWith(`${name}: `)) ? failure.split('; ', 1)[0]! : failure

/** What most of the time is spent on, once for all policies that have the same reason. */
function renderCauses(style: Style, outcomes: readonly Outcome[]): string[] {
  const causes = groupBy(
    outcomes.filter(({ cause }) => cause !== undefined),
    ({ cause }) => cause!,
  )
  return [...causes].flatMap(([cause, own]) => {
    const where = own.length === outcomes.length ? '' : ` (${namesOf(own, outcomes)})`
    return wrap(`Why it takes this long${where}: ${cause}.`, style.width, '  ')
  })
}

/** Why a rollout does not complete, or does not end, once for all policies that have the same reasons. */
function renderStuck(style: Style, outcomes: readonly Outcome[]): string[] {
  const stuck = groupBy(
    outcomes.filter((outcome) => outcome.stuck !== undefined),
    (outcome) => [isAlwaysComplete(outcome) ? 'Not ended' : 'Not complete', ...outcome.stuck!].join('\n'),
  )
  return [...stuck].flatMap(([text, own]) => {
    const [what, ...reasons] = text.split('\n')
    return [
      '',
      ...painted(style, 'red', `${what} (${namesOf(own, outcomes)}):`),
      ...reasons.flatMap((reason) => wrap(`- ${reason}`, style.width, '  ')),
    ]
  })
}

const maxOfKind = 3

/** `40 CustomResourceDefinitions` instead of their names. */
function groupedByKind(names: readonly string[]): string[] {
  const kinds = groupBy(names, (name) => (name.includes('(') ? name : name.slice(0, name.indexOf('/'))))
  return [...kinds].flatMap(([kind, own]) => (own.length > maxOfKind ? [`${own.length} of kind ${kind}`] : own))
}

const maxTables = 8
/** From this many on, workloads that change are ranked first. */
const minRanked = 3

/** Each of several workloads, with its own measures under each policy. */
function workloadParts(outcomes: readonly Outcome[]): RankedWorkload[] {
  return (outcomes[0]?.workloads ?? []).map((workload) => {
    const parts = outcomes.flatMap((outcome): Outcome[] => {
      const own = outcome.workloads?.find(
        (one) => one.kind === workload.kind && one.namespace === workload.namespace && one.name === workload.name,
      )
      if (own === undefined) return []
      const { spread: _, ...rest } = outcome
      return [{ ...rest, measures: own.measures, kinds: [workload.kind], ...(own.spread !== undefined && { spread: own.spread }) }]
    })
    return { name: `${workload.kind} ${workload.namespace}/${workload.name}`, parts }
  })
}

const isChanging = ({ parts }: RankedWorkload) =>
  parts.some(({ measures }) => measures.completeAfterMs !== 0 || measures.oldGoneAfterMs !== undefined)

/** A line for each of several workloads that change. */
export function renderEachWorkload(style: Style, outcomes: readonly Outcome[]): string[] {
  const changing = workloadParts(outcomes).filter(isChanging)
  return changing.length < 2 ? [] : renderRanking(style, changing)
}

/** A table for each of several workloads that change: the one above has their sum. */
function renderWorkloads(style: Style, { outcomes, runs }: SimulationResult): string[] {
  const tables = workloadParts(outcomes)
  const changing = tables.filter(isChanging)
  const still = tables.length - changing.length
  return [
    ...(tables.length > 0 ? [paint(style, 'dim', `(${tables.length === 2 ? 'both' : `all ${tables.length}`} workloads together)`)] : []),
    ...(changing.length >= minRanked ? ['', ...renderRanking(style, changing)] : []),
    ...changing
      .slice(0, maxTables)
      .flatMap(({ name, parts }) => ['', paint(style, 'bold', name), ...renderTable(style, { outcomes: parts, runs }, true)]),
    ...(changing.length > maxTables
      ? ['', `The tables of ${changing.length - maxTables} more workloads are in the output of -o json.`]
      : []),
    ...(still > 0 && changing.length > 0
      ? ['', paint(style, 'dim', `${still} of ${tables.length} workloads ${still === 1 ? 'does' : 'do'} not change.`)]
      : []),
  ]
}

const maxSizes = 12

/** The size over time where an autoscaler decides it, once for all policies with the same. */
function renderSizes(style: Style, outcomes: readonly Outcome[]): string[] {
  const textOf = ({ series }: Outcome) => {
    const sizes = sizesOf(series)
    const shown = sizes.slice(0, maxSizes).map(({ atMs, size }) => (atMs === 0 ? `${size}` : `${size} at ${formatLength(atMs)}`))
    return `${shown.join(', ')}${sizes.length > maxSizes ? `, and ${sizes.length - maxSizes} more changes` : ''}`
  }
  const of = (own: readonly Outcome[]) => (own.length === outcomes.length ? '' : ` (${namesOf(own, outcomes)})`)
  const scaled = groupBy(
    outcomes.filter(({ measures }) => (measures.rescales ?? 0) > 0),
    textOf,
  )
  // The series has the sum of several workloads.
  const size = outcomes.some(({ workloads = [] }) => workloads.length > 1) ? 'Replicas of all workloads' : 'Size'
  const lines = [...scaled].flatMap(([text, own]) => wrap(`${size}${of(own)}: ${text}.`, style.width, '  '))
  return lines.length === 0 ? [] : ['', ...lines]
}

/** From a time on. */
export function sizesOf({ times, desired }: Series): { readonly atMs: number; readonly size: number }[] {
  const last = new Map<number, number>()
  for (const [index, atMs] of times.entries()) last.set(atMs, desired[index]!)
  const all = [...last].map(([atMs, size]) => ({ atMs, size }))
  return all.filter(({ size }, index) => index === 0 || size !== all[index - 1]!.size)
}

const maxSteps = 4
function shortened(steps: readonly string[]): string {
  const more = steps.length > maxSteps ? `, and ${steps.length - maxSteps} more` : ''
  return steps.slice(0, maxSteps).join(', ') + more
}

interface Panel {
  readonly title: string
  readonly series: Series
}

/** Policies that come to the same picture share it. */
function panelsOf(outcomes: readonly Outcome[]): Panel[] {
  const alike = groupBy(outcomes, ({ series }) => JSON.stringify([series.times, series.layers]))
  return [...alike.values()].map((own) => ({ title: namesOf(own, outcomes), series: own[0]!.series }))
}

/** `TerminationComplete, +terminatingAsActive`. */
function namesOf(own: readonly Outcome[], all: readonly Outcome[]): string {
  const { noPolicy } = wordsFor(all)
  const names = own.map(({ label, policy }) => label ?? (policy === 'None' ? noPolicy : policy))
  const short = names.map((name, index) => {
    const base = names.slice(0, index).find((other) => policies.some((policy) => policy === other) && name.startsWith(other))
    return base === undefined ? name : name.slice(base.length)
  })
  return short.join(', ')
}

export function renderCharts(style: Style, outcomes: readonly Outcome[]): string[] {
  const panels = panelsOf(outcomes)
  const perLine = panels.length > 1 ? 2 : 1
  const width = Math.floor((style.width - between * (perLine - 1)) / perLine)
  const most = Math.max(...panels.map(({ series }) => highestOf(series)))
  const endMs = Math.max(...panels.map(({ series }) => series.times.at(-1)!))
  const untilMs = Math.max(1, Math.min(endMs, Math.max(...panels.map(({ series }) => lastMoveMs(series))) * shownAfter))
  const lines: string[] = []
  for (let at = 0; at < panels.length; at += perLine) {
    const side = panels
      .slice(at, at + perLine)
      .map(({ title, series }) => [
        title.length > width ? `${title.slice(0, width - 1)}…` : title,
        ...renderChart(style, series, { width, rows: rowsOfChart, most, untilMs }),
      ])
    if (at > 0) lines.push('')
    for (let row = 0; row < side[0]!.length; row++)
      lines.push(
        side
          .map((chart, index) => (index === side.length - 1 ? chart[row]! : padded(chart[row]!, width + between)))
          .join('')
          .trimEnd(),
      )
  }
  return [
    ...lines,
    ...wrapLegend(
      renderLegend(
        style,
        panels.map(({ series }) => series),
        wordsFor(outcomes),
      ),
      style.width,
    ),
  ]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
const colourCode = /\u001b\[[0-9]+m/g
const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - text.replace(colourCode, '').length))

function wrapLegend(legend: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const item of legend.split('  ')) {
    const next = line === '' ? item : `${line}  ${item}`
    if (next.replace(colourCode, '').length <= width) line = next
    else {
      lines.push(line)
      line = item
    }
  }
  return [...lines, line]
}
