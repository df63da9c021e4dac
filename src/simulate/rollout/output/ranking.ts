// Several workloads, a line each, the furthest over the cap first. Pure.
import { getOrAdd } from '../../../base/maps.ts'
import { formatLength } from '../lengths.ts'
import type { Measures, Outcome } from '../result.ts'
import { paint, type Style } from './style.ts'
import { shortNames } from './words.ts'

/** A workload, with its own measures under each policy. */
export interface RankedWorkload {
  readonly name: string
  readonly parts: readonly Outcome[]
}

interface Column {
  readonly measure: string
  readonly policy: string
  textOf(workload: RankedWorkload): string
  isBad?(workload: RankedWorkload): boolean
}

const maxRows = 40
const minNameWidth = 12
const gap = 2

/** Policies with the same figures for every workload share the columns of the first. */
export function renderRanking(style: Style, workloads: readonly RankedWorkload[]): string[] {
  const ranked = [...workloads].sort(
    (a, b) => worst(b, 'peakOverCap') - worst(a, 'peakOverCap') || worst(b, 'peakPods') - worst(a, 'peakPods'),
  )
  const shown = ranked.slice(0, maxRows)
  const columns = columnsOf(ranked)
  const widths = columns.map((column) =>
    Math.max(column.policy.length, measureOf(columns, column).length, ...shown.map((workload) => column.textOf(workload).length)),
  )
  const room = style.width - widths.reduce((sum, width) => sum + width + gap, 0)
  const nameWidth = Math.max(minNameWidth, Math.min(room, Math.max(...shown.map(({ name }) => name.length))))
  // Not alignRows(): cells have colours, and names give way to the width of the terminal.
  const line = (name: string, cellOf: (column: Column) => string, isBad: (column: Column) => boolean = () => false) =>
    shortened(name, nameWidth).padEnd(nameWidth) +
    columns
      .map(
        (column, at) =>
          ' '.repeat(gap + widths[at]! - cellOf(column).length) + paint(style, isBad(column) ? 'red' : undefined, cellOf(column)),
      )
      .join('')
  const rest = ranked.length - shown.length
  return [
    line('', (column) => measureOf(columns, column)).trimEnd(),
    line('', ({ policy }) => policy).trimEnd(),
    ...shown.map((workload) =>
      line(
        workload.name,
        (column) => column.textOf(workload),
        (column) => column.isBad?.(workload) === true,
      ),
    ),
    ...(rest > 0 ? [`and ${rest} more (--json)`] : []),
  ]
}

function columnsOf(workloads: readonly RankedWorkload[]): Column[] {
  const headings = new Set(workloads.flatMap(({ parts }) => parts.map(headingOf)))
  const distinct = new Map<string, string>()
  for (const heading of headings) {
    const figures = workloads.map((one) => [textOf(partOf(one, heading), 'peakPods'), textOf(partOf(one, heading), 'completeAfterMs')])
    getOrAdd(distinct, JSON.stringify(figures), () => heading)
  }
  const named = [...distinct.values()]
  return [
    { measure: '', policy: 'cap', textOf: ({ parts }) => String(parts[0]?.measures.cap ?? '-') },
    ...named.map((policy) => ({
      measure: 'peak pods',
      policy,
      textOf: (workload: RankedWorkload) => textOf(partOf(workload, policy), 'peakPods'),
      isBad: (workload: RankedWorkload) => (figureOf(partOf(workload, policy), 'peakOverCap') ?? 0) > 0,
    })),
    ...named.map((policy) => ({
      measure: 'until complete',
      policy,
      textOf: (workload: RankedWorkload) => textOf(partOf(workload, policy), 'completeAfterMs'),
    })),
  ]
}

const headingOf = ({ label, policy }: Outcome): string => label ?? shortNames[policy]

/** Undefined: the outcome is without this workload, as that of another recording may be. */
const partOf = ({ parts }: RankedWorkload, heading: string): Outcome | undefined => parts.find((part) => headingOf(part) === heading)

/** The heading of several columns is above the first of them. */
const measureOf = (columns: readonly Column[], column: Column) =>
  columns.find(({ measure }) => measure === column.measure) === column ? column.measure : ''

/** The median of several runs. Undefined: half of the runs do not have it. */
const figureOf = (outcome: Outcome | undefined, key: keyof Measures): number | undefined =>
  outcome?.spread === undefined ? outcome?.measures[key] : outcome.spread[key]?.p50

function textOf(outcome: Outcome | undefined, key: 'peakPods' | 'completeAfterMs'): string {
  if (outcome === undefined) return '-'
  const value = figureOf(outcome, key)
  if (value === undefined) return 'never'
  return key === 'peakPods' ? String(value) : formatLength(value)
}

const worst = ({ parts }: RankedWorkload, key: keyof Measures) => Math.max(0, ...parts.map((part) => figureOf(part, key) ?? 0))

/** Without its beginning: many workloads share their kind and namespace. */
const shortened = (text: string, width: number) => (text.length > width ? `…${text.slice(1 - width)}` : text)
