interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Draws the text over what was drawn before, and leaves the scrollback of the terminal alone. Long lines are wrapped; lines that do
 * not fit on the screen are left out.
 */
export function screenOf(text: string, { columns, rows }: ScreenSize, isFirst: boolean): string {
  const wrapped = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => chunks(line, Math.max(1, columns)))
  const room = Math.max(2, rows) - 1
  const shown = wrapped.length <= room ? wrapped : [...wrapped.slice(0, room - 1), `… ${wrapped.length - room + 1} more lines`]
  return `${isFirst ? '\x1b[2J' : ''}\x1b[H${shown.map((line) => `\x1b[K${line}\n`).join('')}\x1b[J`
}

function chunks(line: string, size: number): string[] {
  const parts = [line.slice(0, size)]
  for (let at = size; at < line.length; at += size) parts.push(line.slice(at, at + size))
  return parts
}
