// Runs `rollcall count`.
import { formatTime, realClock } from '../base/clock.ts'
import { countRows, summaryLine, terminatingLines, waitingLines } from '../simulate/count/count-lines.ts'
import { countedKinds, LiveCount } from '../simulate/count/live-count.ts'
import type { WorkloadCount } from '../simulate/count/workload-count.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { alignedTable } from './aligned-table.ts'
import type { CountOptions } from './count.ts'
import { onEndSignal } from './end-signal.ts'
import { printError } from './error-line.ts'
import { readSelection, requireExisting, type Selection, unreadable } from './read-selection.ts'

const everyMs = 1000
const clearScreen = '\x1b[H\x1b[2J\x1b[3J'

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
  const onNotice = (line: string) => void process.stderr.write(`${line}\n`)
  const live = await LiveCount.start({ ...request, clock: realClock, onNotice }).catch(unreadable(selection))
  try {
    await requireExisting(selection, live.read(), (named) => live.reasonForAbsence(named))
    const hasNamespaces = selection.namespace === undefined
    const where = hasNamespaces ? 'the cluster' : `namespace ${selection.namespace}`
    const textOf = (counts: readonly WorkloadCount[]) =>
      counts.length === 0 ? `There are no pods and no workloads in ${where} of ${server}.\n` : textFor(counts, hasNamespaces)
    if (options.watch) await watch(live, options, textOf, hasNamespaces)
    else process.stdout.write(options.output === 'json' ? `${JSON.stringify(resultOf(live.read()), null, 2)}\n` : textOf(live.read()))
  } finally {
    live.stop()
  }
}

const textFor = (counts: readonly WorkloadCount[], hasNamespaces: boolean) =>
  [
    alignedTable(countRows(counts, hasNamespaces)),
    ...[...terminatingLines(counts, hasNamespaces), ...waitingLines(counts, hasNamespaces)].map((line) => `${line}\n`),
    `${summaryLine(counts)}\n`,
  ].join('')

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
  const printed = new Set<string>()
  let changes = -1
  const print = () => {
    const counts = live.read()
    if (options.output === 'json') {
      if (live.changes !== changes) stdout.write(`${JSON.stringify(resultOf(counts))}\n`)
    } else if (stdout.isTTY) stdout.write(`${clearScreen}${textOf(counts)}`)
    else if (live.changes !== changes) {
      const lines = alignedTable(countRows(counts, hasNamespaces)).trimEnd().split('\n')
      stdout.write(
        lines
          .filter((line) => !printed.has(line))
          .map((line) => `${line}\n`)
          .join(''),
      )
      printed.clear()
      for (const line of lines) printed.add(line)
    }
    changes = live.changes
  }
  return new Promise((resolve) => {
    let isOver = false
    const again = () => {
      if (isOver) return
      print()
      realClock.after(everyMs, again)
    }
    onEndSignal(() => {
      isOver = true
      resolve()
    })
    again()
  })
}
