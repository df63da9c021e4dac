// Runs `rollcall count`.
import { alignedTable } from '../base/aligned-rows.ts'
import { formatTime, realClock } from '../base/clock.ts'
import { countRows, nameOf, replacedLines, summaryLine, terminatingLines, waitingLines } from '../simulate/count/count-lines.ts'
import { countedKinds, LiveCount } from '../simulate/count/live-count.ts'
import type { WorkloadCount } from '../simulate/count/workload-count.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import type { CountOptions } from './count.ts'
import { onEndSignal } from './end-signal.ts'
import { printError } from './error-line.ts'
import { dataText, isData } from './flag-values.ts'
import { readSelection, requireExisting, type Selection, unreadable } from './read-selection.ts'

const everyMs = 1000

export async function runCount(names: readonly string[], options: CountOptions): Promise<number> {
  try {
    const selection = await readSelection(names, options, countedKinds)
    try {
      await count(selection, options)
      return 0
    } finally {
      selection.client.close()
    }
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

async function count(selection: Selection, options: CountOptions): Promise<void> {
  const { server, ...request } = selection
  const notices: string[] = []
  const isDrawn = options.watch === true && !isData(options.output) && process.stdout.isTTY
  // A screen that is drawn again and again shows the last notice itself.
  const onNotice = (line: string) => void (isDrawn ? notices.splice(0, 1, line) : process.stderr.write(`${line}\n`))
  const live = await LiveCount.start({ ...request, clock: realClock, onNotice }).catch(unreadable(selection))
  try {
    await requireExisting(selection, live.read(), (named) => live.reasonForAbsence(named))
    const hasNamespaces = selection.namespace === undefined
    const where = hasNamespaces ? 'the cluster' : `namespace ${selection.namespace}`
    const textOf = (counts: readonly WorkloadCount[]) =>
      counts.length === 0
        ? `There are no pods and no workloads in ${where} of ${server}.\n`
        : textFor(counts, hasNamespaces, options.output)
    const drawn = (counts: readonly WorkloadCount[]) => textOf(counts) + notices.map((line) => `${line}\n`).join('')
    if (options.watch) await watch(live, options, drawn, hasNamespaces)
    else process.stdout.write(isData(options.output) ? await dataText(resultOf(live.read()), options.output) : textOf(live.read()))
  } finally {
    live.stop()
  }
}

function textFor(counts: readonly WorkloadCount[], hasNamespaces: boolean, output: CountOptions['output']): string {
  if (output === 'name') return counts.flatMap((one) => (one.workload === undefined ? [] : [`${nameOf(one, hasNamespaces)}\n`])).join('')
  return [
    alignedTable(countRows(counts, hasNamespaces, output === 'wide')),
    ...[...terminatingLines(counts, hasNamespaces), ...waitingLines(counts, hasNamespaces), ...replacedLines(counts, hasNamespaces)].map(
      (line) => `${line}\n`,
    ),
    `${summaryLine(counts)}\n`,
  ].join('')
}

const resultOf = (counts: readonly WorkloadCount[]) => ({
  format: 'rollcall.count/1',
  countedAt: formatTime(realClock.now()),
  workloads: counts.map(({ workload, ...count }) => ({
    ...(workload && { kind: workload.kind, name: workload.name, replicas: workload.replicas, cap: workload.cap }),
    ...count,
  })),
})

/** Prints at most once a second: on a terminal the whole text, otherwise one line of JSON or the rows that changed. */
function watch(
  live: LiveCount,
  options: CountOptions,
  textOf: (counts: readonly WorkloadCount[]) => string,
  hasNamespaces: boolean,
): Promise<void> {
  const { stdout } = process
  let printed = new Set<string>()
  let isFirst = true
  let changes = -1
  const print = () => {
    const counts = live.read()
    if (isData(options.output)) {
      if (live.changes !== changes) void dataText(resultOf(counts), options.output, true).then((text) => stdout.write(text))
    } else if (stdout.isTTY) stdout.write(screenOf(textOf(counts), stdout, isFirst))
    else if (live.changes !== changes) {
      // By cells: the width of a column changes with other rows.
      const rows = countRows(counts, hasNamespaces, options.output === 'wide')
      const keys = rows.map((row) => row.join(' '))
      const lines = alignedTable(rows).trimEnd().split('\n')
      stdout.write(lines.flatMap((line, index) => (printed.has(keys[index]!) ? [] : [`${line}\n`])).join(''))
      printed = new Set(keys)
    }
    isFirst = false
    changes = live.changes
  }
  return new Promise((resolve) => {
    let isOver = false
    const again = () => {
      if (isOver) return
      print()
      realClock.after(everyMs, again)
    }
    const end = () => {
      isOver = true
      resolve()
    }
    onEndSignal(end)
    // The reader has closed the pipe, as in `rollcall count --watch | head -3`.
    stdout.once('error', end)
    again()
  })
}

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
