// Runs the commands that a page of the documentation shows, and compares what they print.
//
// A ```console block has commands after `$ ` and, below each, its output. In the output, `…` stands for anything within a line,
// and a line of `…` alone for any number of lines. A fenced block after a line that ends in a
// colon is the file that the line named last.
// All blocks of a page run in order in one folder. `console kubernetes` needs a real cluster, `console eventually` is
// repeated until it prints what is shown, and `console background` runs until the end of the page.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface ShownCommand {
  readonly typed: string
  readonly output: string
}

export interface Block {
  /** `console`, and what is needed. */
  readonly needs: readonly string[]
  /** Files that the page shows before the block. */
  readonly files: ReadonlyMap<string, string>
  readonly commands: readonly ShownCommand[]
}

/** A fence, with what its info string says, and the text before it. */
const fence = /^```([^\n]*)\n([\s\S]*?)^```$/gm
const fileName = /`([\w./-]+\.\w+)`[^`\n]*:\s*$/

export function readBlocks(page: string): Block[] {
  const blocks: Block[] = []
  let files = new Map<string, string>()
  let end = 0
  for (const match of page.matchAll(fence)) {
    const [whole, info = '', body = ''] = match
    const name = fileName.exec(page.slice(end, match.index))?.[1]
    end = match.index + whole.length
    const [language, ...needs] = info.split(/\s+/)
    if (language === 'console') {
      blocks.push({ needs, files, commands: readCommands(body) })
      files = new Map()
    } else if (name !== undefined) files.set(name, body)
  }
  return blocks
}

function readCommands(block: string): ShownCommand[] {
  const parts = block.split(/^\$ /m).slice(1)
  return parts.map((part) => {
    // A line that ends in a backslash continues on the next one.
    const [typed = ''] = /^(?:[^\n]*\\\n)*[^\n]*/.exec(part) ?? []
    return { typed, output: part.slice(typed.length + 1) }
  })
}

/** What differs from run to run is not compared: ports, and the widths of columns. */
export function outputPattern(shown: string): RegExp {
  const lines = shown.trimEnd().split('\n')
  const parts = lines.map((line) => (line.trim() === '…' ? '(?:[^\\n]*\\n)*?' : `${linePattern(line)}\\n`))
  return new RegExp(`^${parts.join('')}$`)
}

const linePattern = (line: string) =>
  line
    .trimEnd()
    .split('…')
    .map((piece) =>
      piece
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll(/127\\\.0\\\.0\\\.1:\d+/g, '127\\.0\\.0\\.1:\\d+')
        .replaceAll(/ {2,}/g, ' +'),
    )
    .join('[^\\n]*')
    .concat(' *')

/** Undefined: as shown. The standard error is compared in the same stream as the standard output, as a terminal shows both. */
export async function runCommand({ typed, output }: ShownCommand, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn('bash', ['-c', `exec 2>&1\n${typed}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 })
  const [all, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const printed = all.trimEnd()
  const shown = output.trim()
  if (shown === '' ? printed === '' : outputPattern(shown).test(`${printed}\n`)) return undefined
  return `$ ${typed}\nprinted (exit code ${status}):\n${printed}\nand the page shows:\n${output}`
}

export function writeFiles(files: Block['files'], folder: string): void {
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}
