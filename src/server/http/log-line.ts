/** An error with its stack as one line of a log. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.replaceAll(/\s*\n\s*/g, ' | ')
}
