// Runs `rollcall wait`.
import { realClock } from '../base/clock.ts'
import { failureLine, nameOf, waitLine } from '../simulate/count/count-lines.ts'
import { countedKinds, LiveCount } from '../simulate/count/live-count.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { formatLength } from '../simulate/rollout/lengths.ts'
import { onEndSignal } from './end-signal.ts'
import { printError } from './error-line.ts'
import { readSelection, requireExisting, type Selection, unreadable } from './read-selection.ts'
import type { WaitOptions } from './wait.ts'

const pollMs = 250
/** The ages of pods change all the time: a line that differs only in one is printed again after this time. */
const repeatMs = 10_000

export async function runWait(names: readonly string[], options: WaitOptions): Promise<number> {
  try {
    const selection = await readSelection(names, options, countedKinds)
    try {
      return await wait(selection, options)
    } finally {
      selection.client.close()
    }
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

async function wait(selection: Selection, { timeout, quiet = false }: WaitOptions): Promise<number> {
  const { server: _, ...request } = selection
  const print = (line: string) => void (quiet || process.stdout.write(`${line}\n`))
  const onNotice = (line: string) => void process.stderr.write(`${line}\n`)
  const startMs = realClock.now()
  const live = await LiveCount.start({ ...request, clock: realClock, onNotice }).catch(unreadable(selection))
  const told = new Map<string, { readonly line: string; readonly atMs: number }>()
  const announce = (name: string, line: string, shape: string) => {
    const last = told.get(name)
    const isRepeated = last !== undefined && last.line === shape && realClock.now() - last.atMs < repeatMs
    if (isRepeated) return
    print(line)
    told.set(name, { line: shape, atMs: realClock.now() })
  }
  try {
    await requireExisting(selection, live.read())
    if (live.read().every(({ workload }) => workload === undefined))
      throw new Error(`There are no such workloads${selection.namespace === undefined ? '' : ` in namespace ${selection.namespace}`}`)
    let settledPolls = 0
    let isInterrupted = false
    onEndSignal(() => {
      isInterrupted = true
    })
    for (;;) {
      const counts = live.read().filter(({ workload }) => workload !== undefined)
      const open = counts.filter(({ isSettled }) => !isSettled)
      const failed = counts.map(failureLine).find((line) => line !== undefined)
      if (failed !== undefined) throw new Error(failed)
      // The watches are not synchronised: all must be complete at two polls in a row.
      settledPolls = open.length === 0 ? settledPolls + 1 : 0
      if (settledPolls >= 2) {
        const what = counts.length === 1 ? `${nameOf(counts[0]!)} is` : `All ${counts.length} workloads are`
        print(`${what} complete, and no old pod is left, after ${formatLength(realClock.now() - startMs)}.`)
        return 0
      }
      for (const count of open) {
        const line = waitLine(count)
        announce(count.workload!.uid, line, line.replace(/ for [^)]*\)/, ')'))
      }
      if (isInterrupted) return 130
      if (timeout !== undefined && realClock.now() - startMs >= timeout)
        throw new Error(`Timed out after ${formatLength(timeout)}: ${open.map(waitLine).join('; ')}`)
      await new Promise<void>((resolve) => void realClock.after(pollMs, resolve))
    }
  } finally {
    live.stop()
  }
}
