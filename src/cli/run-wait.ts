// Runs `rollcall wait`.
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { realClock } from '../base/clock.ts'
import { explain, explainedKinds } from '../cluster/explain/explain.ts'
import { listWith, readSurroundings } from '../cluster/explain/read-surroundings.ts'
import { failureLine, nameOf, waitLine } from '../simulate/count/count-lines.ts'
import { countedKinds, LiveCount } from '../simulate/count/live-count.ts'
import type { WorkloadCount } from '../simulate/count/workload-count.ts'
import { kindNamed } from '../simulate/objects.ts'
import { failureOf } from '../simulate/rollout/completion.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { formatLength } from '../simulate/rollout/lengths.ts'
import { onEndSignal } from './end-signal.ts'
import { printError } from './error-line.ts'
import { readSelection, requireExisting, type Selection, unreadable } from './read-selection.ts'
import type { WaitOptions } from './wait.ts'

const pollMs = 250
/** A count of 100,000 pods takes a while: waiting uses at most this share of the time for counting. */
const maxCountingShare = 0.2
/** How many workloads a message names. */
const maxNamed = 5
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
  const hasNamespaces = selection.namespace === undefined
  const told = new Map<string, { readonly line: string; readonly atMs: number }>()
  const announce = (name: string, line: string, shape: string) => {
    const last = told.get(name)
    const isRepeated = last !== undefined && last.line === shape && realClock.now() - last.atMs < repeatMs
    if (isRepeated) return
    print(line)
    told.set(name, { line: shape, atMs: realClock.now() })
  }
  try {
    const first = live.read()
    await requireExisting(selection, first, (named) => live.reasonForAbsence(named))
    if (first.every(({ workload }) => workload === undefined))
      throw new Error(`There are no such workloads${selection.namespace === undefined ? '' : ` in namespace ${selection.namespace}`}`)
    // Jobs that failed earlier, such as those that a CronJob keeps, are not part of what is waited for, unless they are named.
    const failedBefore = new Set(
      selection.workloads.length > 0 ? [] : first.flatMap(({ workload }) => (workload && failureOf(workload) ? [workload.uid] : [])),
    )
    let settledPolls = 0
    let isInterrupted = false
    onEndSignal(() => {
      isInterrupted = true
    })
    for (;;) {
      const readAtMs = realClock.now()
      const counts = live.read().filter(({ workload }) => workload !== undefined)
      const readMs = realClock.now() - readAtMs
      requireRemaining(selection, counts)
      const open = counts.filter(({ isSettled }) => !isSettled)
      const failed = counts
        .filter(({ workload }) => !failedBefore.has(workload!.uid))
        .map((count) => failureLine(count, hasNamespaces))
        .find((line) => line !== undefined)
      if (failed !== undefined) throw new Error(`${failed}${await causesOf(selection, open)}`)
      // The watches are not synchronised: all must be complete at two polls in a row.
      settledPolls = open.length === 0 ? settledPolls + 1 : 0
      if (settledPolls >= 2) {
        const what = counts.length === 1 ? `${nameOf(counts[0]!, hasNamespaces)} is` : `All ${counts.length} workloads are`
        print(`${what} complete, and no old pod is left, after ${formatLength(realClock.now() - startMs)}.`)
        return 0
      }
      for (const count of open) {
        const line = waitLine(count, hasNamespaces)
        announce(count.workload!.uid, line, line.replace(/ for [^)]*\)/, ')'))
      }
      if (isInterrupted) return 130
      if (timeout !== undefined && realClock.now() - startMs >= timeout)
        throw new Error(`Timed out after ${formatLength(timeout)}: ${openLine(open, hasNamespaces)}${await causesOf(selection, open)}`)
      await new Promise<void>((resolve) => void realClock.after(Math.max(pollMs, readMs / maxCountingShare), resolve))
    }
  } finally {
    live.stop()
  }
}

/** Throws when a workload was deleted: it cannot become complete any more. */
function requireRemaining({ workloads }: Selection, counts: readonly WorkloadCount[]): void {
  const deleted = workloads.find(({ kind, name }) => !counts.some(({ workload }) => workload!.kind === kind && workload!.name === name))
  if (deleted !== undefined) throw new Error(`${deleted.kind}/${deleted.name} was deleted while it was waited for`)
  if (counts.length === 0) throw new Error('All workloads were deleted while they were waited for')
}

/** What the workloads wait for, as `rollcall explain` says it. Empty if it cannot be read: the failure itself is what counts. */
async function causesOf({ client }: Selection, open: readonly WorkloadCount[]): Promise<string> {
  const named = open.filter(({ workload }) => explainedKinds.includes(workload!.kind)).slice(0, maxNamed)
  const choices = { gates: defaultFeatureGates, nowMs: realClock.now() }
  const causes = await Promise.all(
    named.map(async ({ workload, namespace }) => {
      const { kind, name } = workload!
      const [object, surroundings] = await Promise.all([
        client.get(kindNamed(kind), { namespace, name }),
        readSurroundings(listWith(client, namespace), choices),
      ])
      return `. ${kind.toLowerCase()}/${name}: ${explain(kind, object, surroundings)!.cause}`
    }),
  ).catch(() => [])
  return causes.join('')
}

function openLine(open: readonly WorkloadCount[], hasNamespaces: boolean): string {
  const lines = open.slice(0, maxNamed).map((count) => waitLine(count, hasNamespaces))
  const rest = open.length - lines.length
  return `${lines.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}
