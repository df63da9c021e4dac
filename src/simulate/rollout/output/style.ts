// What the terminal can show.

export interface Style {
  readonly width: number
  readonly hasColour: boolean
  /** Blocks and lines beyond ASCII. */
  readonly isUtf8: boolean
  /** Whether rows that are equal in all columns are shown too. */
  readonly isWide?: boolean
}

const narrowest = 60
const widest = 120

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Colour only on a terminal that wants it; ASCII where the locale says that there is nothing else. */
export function styleOf(terminal: Terminal, environment: Readonly<Record<string, string | undefined>>): Style {
  const isTerminal = terminal.isTTY === true
  const columns = terminal.columns ?? Number(environment['COLUMNS'] ?? Number.NaN)
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || 'UTF-8'
  return {
    width: Math.min(widest, Math.max(narrowest, Number.isFinite(columns) && columns > 0 ? columns : 80)),
    hasColour: isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb',
    isUtf8: /utf-?8/i.test(locale),
  }
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, grey: 90 } as const
export type Colour = keyof typeof codes

export const paint = ({ hasColour }: Style, colour: Colour | undefined, text: string): string =>
  hasColour && colour !== undefined && text !== '' ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text

/** Words broken into lines; those after the first begin with `indent`. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const start = lines.length === 0 ? '' : indent
    if (line === '') line = start + word
    else if (line.length + 1 + word.length <= width) line += ` ${word}`
    else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line]
}

export const asAscii = (text: string): string => text.replaceAll('±', '+-').replaceAll('…', '...').replaceAll('×', 'x')
