// A table of the results beside their targets.

export interface Row {
  readonly what: string
  readonly result: string
  readonly target?: string
  /** 1 or more: the target was reached, whether it is a minimum or a maximum. */
  readonly ratio?: number
  /** The processor time of the server, which depends less on other load of the machine. */
  readonly cost?: string
}

export function printTable(rows: readonly Row[]): void {
  const cells = [
    ['', 'result', 'target', 'ratio', 'server CPU'],
    ...rows.map(({ what, result, target = '', ratio, cost = '' }) => [
      what,
      result,
      target,
      ratio === undefined ? '' : `${number(ratio, 2)}${ratio >= 1 ? '' : ' !'}`,
      cost,
    ]),
  ]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
}

export function number(value: number, digits = value < 10 ? 2 : value < 100 ? 1 : 0): string {
  return value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
}

/** Sorts a copy. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)
