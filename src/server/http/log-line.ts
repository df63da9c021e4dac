/** An error with its stack as one line of a log. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' | ')
}
