import { alignRows } from '../base/aligned-rows.ts'

/** Lines with aligned columns, as kubectl prints them. The first row is the header. */
export const alignedTable = (rows: readonly (readonly string[])[]): string =>
  alignRows(rows, { gap: 3, isLeft: () => true })
    .map((line) => `${line}\n`)
    .join('')
