// Combinations of settings as a table, the best first, and the patch of the best one. Pure.

import { alignRows } from '../../../base/aligned-rows.ts'
import { groupBy } from '../../../base/maps.ts'
import type { LeftOut, RankedCombination } from '../compare-settings.ts'
import { formatLength, formatShare } from '../lengths.ts'
import type { Policy } from '../result.ts'
import { needOf } from '../settings.ts'
import { paint, type Style, wrap } from './style.ts'

const policyNames: Readonly<Partial<Record<Policy, string>>> = { None: 'no policy', Pacer: 'the pacer' }
export const nameOfPolicy = (policy: Policy): string => policyNames[policy] ?? policy

/** Such as `maxSurge 25%, the pacer`. */
export const describeCombination = ({ combination: { policy, values } }: Pick<RankedCombination, 'combination'>): string =>
  [...values.map(({ setting, value }) => `${setting} ${value}`), nameOfPolicy(policy)].join(', ')

const maxNamed = 4

/** Which combinations were not simulated, and why. */
export function renderLeftOut(style: Style, leftOut: readonly LeftOut[]): string[] {
  return [...groupBy(leftOut, ({ reason }) => reason)].flatMap(([reason, all]) => {
    const more = all.length > maxNamed ? `; and ${all.length - maxNamed} more` : ''
    const what = `${all.length} ${all.length === 1 ? 'combination' : 'combinations'}`
    const text = `Left out: ${what} (${all.slice(0, maxNamed).map(describeCombination).join('; ')}${more}): ${reason.replace(/\.$/, '')}.`
    return ['', ...wrap(text, style.width, '  ')]
  })
}

interface Column {
  readonly title: string
  /** The title in two lines, where there is little room. */
  readonly narrow?: readonly [string, string]
  readonly isLeft?: true
  read(one: RankedCombination): string
}

export function renderSettings(
  style: Style,
  title: string,
  ranked: readonly RankedCombination[],
  { runs, seed }: { readonly runs: number; readonly seed: number },
): string[] {
  if (ranked.length === 0) return [title, 'There is no combination to compare.']
  const tables = [
    linesOf(columnsOf(ranked, runs), ranked),
    linesOf(narrowColumnsOf(ranked, runs), ranked, true),
    linesOf(
      narrowColumnsOf(ranked, runs).filter((column) => column.title !== nodeMinutes),
      ranked,
      true,
    ),
  ]
  const { columns, heading, rows } =
    tables.find((table) => Math.max(...[...table.heading, ...table.rows].map(({ length }) => length)) <= style.width) ?? tables.at(-1)!
  const [summed, ...others] = columns.filter((column) => column === nodeMinutes || column === 'cost')
  const ofFirst =
    summed === undefined
      ? ''
      : `; ${others.length > 0 ? `${[summed, ...others].join(' and ')} are` : `the ${summed} are`} those of seed ${seed}`
  return [
    ...wrap(title, style.width, '  ').map((line) => paint(style, 'bold', line)),
    '',
    ...heading.map((line) => paint(style, 'bold', line)),
    ...rows.map((line, index) => paint(style, ranked[index]!.failures.length > 0 ? 'grey' : index === 0 ? 'green' : undefined, line)),
    ...(runs > 1 ? wrap(`The table has the medians of all runs${ofFirst}.`, style.width, '  ') : []),
  ]
}

function linesOf(columns: readonly Column[], ranked: readonly RankedCombination[], isNarrow = false) {
  const titles = columns.map(({ title, narrow = ['', title] }) => (isNarrow ? narrow : [title]))
  const height = isNarrow ? 2 : 1
  const headings = Array.from({ length: height }, (_, part) => titles.map((title) => title[part]!))
  const cells = ranked.map((one) => columns.map(({ read }) => read(one)))
  const lines = alignRows([...headings, ...cells], { gap: 2, isLeft: (index) => columns[index]!.isLeft === true })
  return { columns: columns.map(({ title }) => title), heading: lines.slice(0, height), rows: lines.slice(height) }
}

const nodeMinutes = 'node-minutes'
const policyTitle = 'policy'

function columnsOf(ranked: readonly RankedCombination[], runs: number): Column[] {
  const hasCost = ranked.some(({ measures }) => measures.cost !== undefined)
  return [
    ...ranked[0]!.combination.values.map(({ setting }, index): Column => {
      const [, first, rest] = /^([a-z]+)([A-Z].*)$/.exec(setting) ?? []
      return {
        title: setting,
        isLeft: true,
        ...(first !== undefined && rest !== undefined && { narrow: [first, rest] }),
        read: (one) => one.combination.values[index]!.value,
      }
    }),
    { title: policyTitle, isLeft: true, read: ({ combination }) => nameOfPolicy(combination.policy) },
    { title: 'peak pods', narrow: ['peak', 'pods'], read: ({ measures }) => String(measures.peakPods) },
    {
      title: 'complete',
      read: ({ measures }) => (measures.completeAfterMs === undefined ? 'never' : formatLength(measures.completeAfterMs)),
    },
    {
      title: 'available',
      read: ({ measures }) => (measures.lowestAvailability === undefined ? '-' : formatShare(measures.lowestAvailability)),
    },
    { title: 'nodes', read: ({ measures }) => String(measures.peakNodes) },
    { title: nodeMinutes, narrow: ['node-', 'minutes'], read: ({ measures }) => String(Math.round(measures.nodeMinutes * 10) / 10) },
    ...(hasCost ? [{ title: 'cost', read: ({ measures }: RankedCombination) => formatMoney(measures.cost ?? 0) }] : []),
    { title: '', read: (one) => failureNote(one, runs) },
  ]
}

/** A policy that all have is in the title of the table. */
function narrowColumnsOf(ranked: readonly RankedCombination[], runs: number): Column[] {
  const hasOnePolicy = new Set(ranked.map(({ combination }) => combination.policy)).size === 1
  const columns = columnsOf(ranked, runs).slice(0, -1)
  return [
    ...columns.filter(({ title }) => title !== policyTitle || !hasOnePolicy),
    {
      title: '',
      read: ({ failures, failedRuns }) =>
        failures.length === 0 ? '' : failedRuns === undefined ? 'fails' : `${failedRuns} of ${runs} fail`,
    },
  ]
}

const failureNote = ({ failures, failedRuns }: RankedCombination, runs: number): string =>
  failures.length === 0 ? '' : failedRuns === undefined ? 'not as expected' : `fails in ${failedRuns} of ${runs} runs`

/** Which expectations are not met, and what the first combination of each is like. `names`: those of all expectations. */
export function renderUnmet(style: Style, ranked: readonly RankedCombination[], names: readonly string[]): string[] {
  const all = ranked.flatMap(({ failures }) => failures)
  const unmet = groupBy(all, (failure) => names.find((name) => failure.startsWith(`${name}: `)) ?? failure)
  const lines = [...unmet].flatMap(([name, [first = '', ...others]]) => {
    const count = others.length + 1
    const of = `not met by ${count} ${count === 1 ? 'combination' : 'combinations'}`
    const what =
      first === name ? '' : count === 1 ? `: ${first.slice(name.length + 2)}` : `. The first of them: ${first.slice(name.length + 2)}`
    return wrap(`- ${name}: ${of}${what}`, style.width, '  ')
  })
  return lines.length === 0 ? [] : ['', 'Not as expected:', ...lines]
}

const isEmpty = (patch: object) => JSON.stringify(patch) === '{"spec":{}}'

/** The best of each group that a cluster can do, and how to apply the best of all. */
export function renderAdvice(
  style: Style,
  ranked: readonly RankedCombination[],
  patches: readonly { readonly name: string; readonly patch: object }[],
  runs: number,
): string[] {
  const fit = ranked.filter(({ failures }) => failures.length === 0)
  const [best] = fit
  if (best === undefined)
    return [
      '',
      ...wrap(
        `No setting that was tried meets the expectations. The closest: ${describeCombination(ranked[0]!)} (${failureNote(ranked[0]!, runs)}).`,
        style.width,
      ),
    ]
  const changing = patches.filter(({ patch }) => !isEmpty(patch))
  const groups = new Map<string, RankedCombination>()
  for (const one of fit) if (!groups.has(needOf(one.combination.policy))) groups.set(needOf(one.combination.policy), one)
  const sentence = (one: RankedCombination) =>
    `${describeCombination(one)}: ${one.measures.peakPods} pods at the peak, complete in ${formatLength(one.measures.completeAfterMs ?? 0)}, ${one.measures.lowestAvailability === undefined ? 'no figure for availability' : `${formatShare(one.measures.lowestAvailability)} available at the lowest`}`
  return [
    '',
    ...wrap(`Choose ${sentence(best)} (needs ${needOf(best.combination.policy)}).`, style.width),
    ...[...groups.values()]
      .filter((one) => one !== best)
      .flatMap((one) => wrap(`With ${needOf(one.combination.policy)}: ${sentence(one)}.`, style.width, '  ')),
    '',
    ...(changing.length === 0
      ? ['There is nothing to change: these are the current settings.']
      : changing.map(({ name, patch }) => `kubectl patch ${name} --type merge -p '${JSON.stringify(patch)}'`)),
  ]
}

export const formatMoney = (amount: number): string => (amount < 10 ? amount.toFixed(2) : String(Math.round(amount)))
