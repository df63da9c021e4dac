// The layout of help texts: as wide as the terminal, but no wider than what reads well.
import { type Command, Help } from 'commander'

export const helpWidth = (columns = 100): number => Math.min(Math.max(columns, 60), 120)

/** Of a pipe, which has no width: what COLUMNS says. */
export const columnsOf = (columns: string | undefined): number | undefined =>
  columns !== undefined && /^[1-9]\d*$/.test(columns) ? Number(columns) : undefined

/**
 * Wraps what is wider than the terminal. Lines of a paragraph flow; an indented line, such as an example or a row with two
 * columns, continues below its last column.
 */
export function wrapHelp(text: string, width: number): string {
  const lines: string[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0) lines.push(...wrapLine(paragraph.join(' '), width, ''))
    paragraph = []
  }
  for (const line of text.split('\n')) {
    if (line === '' || /^\s/.test(line) || line.startsWith('Usage:')) {
      flush()
      lines.push(...(line.length > width ? wrapLine(line, width, ' '.repeat(indentOf(line, width))) : [line]))
    } else {
      paragraph.push(line)
      if (line.endsWith(':')) flush()
    }
  }
  flush()
  return lines.join('\n')
}

function indentOf(line: string, width: number): number {
  const columns = /^(\s*\S.*?\s{2,})\S/.exec(line)?.[1]?.length ?? 0
  return columns > 0 && columns <= width / 2 ? columns : (/^\s*/.exec(line)?.[0].length ?? 0) + 2
}

function wrapLine(line: string, width: number, indent: string): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const before = rest.lastIndexOf(' ', width)
    // A word that is wider than the terminal has a line of its own.
    const at = before > indent.length ? before : rest.indexOf(' ', width)
    if (at < 0) break
    lines.push(rest.slice(0, at).trimEnd())
    rest = `${indent}${rest.slice(at + 1)}`
  }
  return [...lines, rest]
}

/** The commands that do something, in the order of the help. */
export const allCommands = (command: Command): Command[] =>
  new Help()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => [...(one.commands.length === 0 || one.options.length > 0 ? [one] : []), ...allCommands(one)])
