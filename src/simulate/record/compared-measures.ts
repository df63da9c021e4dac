// How far runs differ from the first of them, in numbers. Pure.
import { alignRows } from '../../base/aligned-rows.ts'
import { formatLength, formatShare } from '../rollout/lengths.ts'
import type { Measures, Outcome } from '../rollout/result.ts'

interface Row {
  readonly key: keyof Measures
  readonly label: string
  format(value: number): string
}

const whole = (value: number) => String(Math.round(value))

const rows: readonly Row[] = [
  { key: 'peakPods', label: 'peak pods', format: whole },
  { key: 'availableAfterMs', label: 'until available', format: formatLength },
  { key: 'oldGoneAfterMs', label: 'until old are gone', format: formatLength },
  { key: 'completeAfterMs', label: 'until complete', format: formatLength },
  { key: 'lowestAvailability', label: 'lowest availability', format: formatShare },
  { key: 'podSeconds', label: 'pod-seconds', format: whole },
]

export interface Difference {
  readonly measure: keyof Measures
  readonly label: string
  readonly first: number
  readonly other: number
  /** Relative to the first: 0.05 is 5 % more. */
  readonly error: number
}

/** Measures that both have. The first outcome is the reference: the recording. */
export function differencesBetween({ measures: first }: Outcome, { measures: other }: Outcome): Difference[] {
  return rows.flatMap(({ key, label }) => {
    const [a, b] = [first[key], other[key]]
    if (a === undefined || b === undefined) return []
    return [{ measure: key, label, first: a, other: b, error: a === b ? 0 : a === 0 ? Number.POSITIVE_INFINITY : (b - a) / a }]
  })
}

export function renderDifferences([first, ...others]: readonly Outcome[]): string[] {
  if (first === undefined || others.length === 0) return []
  return others.flatMap((other) => {
    const differences = differencesBetween(first, other)
    const cells = differences.map(({ measure, label, ...one }) => {
      const { format } = rows.find(({ key }) => key === measure)!
      return [label, format(one.first), format(one.other), percent(one.error)]
    })
    const table = [['', nameOf(first), nameOf(other), 'difference'], ...cells]
    const worst = Math.max(0, ...differences.map(({ error }) => Math.abs(error)))
    return ['', ...alignRows(table, { gap: 2, isLeft: (column) => column === 0 }), `largest difference: ${percent(worst).replace('+', '')}`]
  })
}

const nameOf = ({ label, policy }: Outcome) => label ?? policy
const percent = (share: number) =>
  Number.isFinite(share) ? `${share > 0 ? '+' : ''}${(Math.round(share * 1000) / 10).toFixed(1)}%` : 'from none'
