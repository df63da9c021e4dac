interface Alignment {
  /** Spaces between two columns. */
  readonly gap: number
  /** Whether the column begins at the left; others end at the right. */
  isLeft(column: number): boolean
}

/** Lines with aligned columns. Every row has as many cells as the first; no cell has a colour, whose code would count as width. */
export function alignRows(rows: readonly (readonly string[])[], { gap, isLeft }: Alignment): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** Lines with aligned columns, as kubectl prints them. The first row is the header. */
export const alignedTable = (rows: readonly (readonly string[])[]): string =>
  alignRows(rows, { gap: 3, isLeft: () => true })
    .map((line) => `${line}\n`)
    .join('')
