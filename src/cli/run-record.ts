// Runs `rollcall record`.
import { coreEvents, pods, replicaSets } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { Pod, Stored } from '../api/types.ts'
import { formatTime, realClock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { WorkloadName } from '../simulate/live/readable-resources.ts'
import { ClusterRecorder, recordedKinds } from '../simulate/record/cluster-recorder.ts'
import { formatTiming, type LearnedSamples, learnFromPods, learnFromTrace, timingKey } from '../simulate/record/learned-timing.ts'
import { formatTrace } from '../simulate/record/trace-file.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { formatLength } from '../simulate/rollout/lengths.ts'
import { measureTrace } from '../simulate/rollout/measure.ts'
import type { Trace } from '../simulate/rollout/trace.ts'
import { onEndSignal } from './end-signal.ts'
import { printError, printHint } from './error-line.ts'
import { checkOutputFiles, writeOutputFile } from './output-files.ts'
import { readSelection, suggestionFor, unreadable } from './read-selection.ts'
import type { RecordOptions } from './record.ts'

const pollMs = 250
/** How long a recording waits for workloads of which none exists. */
const creationMs = 300_000

/** The progress line of a terminal is cleared before anything else is printed. */
const clearProgress = () => void (process.stderr.isTTY && process.stderr.write('\r\x1b[K'))

export async function runRecord(names: readonly string[], { output, ...given }: RecordOptions): Promise<number> {
  if (output !== undefined) printHint('-o is written --trace now')
  const options = { ...given, trace: given.trace ?? output }
  const notify = (notice: string) => {
    clearProgress()
    process.stderr.write(`${notice}\n`)
  }
  try {
    if (options.trace === undefined && options.learn === undefined)
      throw new InputError('there is nothing to write. Give --trace file for a trace, or --learn file for the times of pods.')
    // Fails now rather than after ten minutes of recording.
    checkOutputFiles({ '--trace': options.trace, '--learn': options.learn })
    const { trace, learned } = await record(names, options, notify)
    if (trace !== undefined) {
      clearProgress()
      writeOutputFile(options.trace!, formatTrace(trace), summaryOf(trace))
    }
    if (options.learn !== undefined) writeLearned(learned, options.learn)
    return 0
  } catch (error) {
    clearProgress()
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

function writeLearned(learned: LearnedSamples, file: string): void {
  const text = formatTiming(learned, `Learned by rollcall record at ${formatTime(realClock.now())}. For rollcall simulate --timing.`)
  if (text === '') throw new Error('there is nothing to learn from: no pod of these workloads became ready or terminated.')
  clearProgress()
  writeOutputFile(file, text, `the times of ${learned.size} ${learned.size === 1 ? 'workload' : 'workloads'}`)
}

interface Recording {
  /** Absent: no trace was asked for. */
  readonly trace?: Trace
  readonly learned: LearnedSamples
}

async function record(names: readonly string[], options: RecordOptions, notify: (notice: string) => void): Promise<Recording> {
  const { untilComplete } = options
  const named = [...names, ...(typeof untilComplete === 'string' ? [untilComplete] : [])]
  const { server, ...selection } = await readSelection(named, options, recordedKinds)
  const { client, namespace, workloads } = selection
  const learned: LearnedSamples = new Map()
  const learn = async () => {
    const own = workloads.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`)
    await learnFromCluster({ client, namespace, workloads: own }, learned).catch(unreadable({ server }))
  }
  try {
    if (options.trace === undefined) {
      await learn()
      return { learned }
    }
    const request = { ...selection, clock: realClock, onNotice: notify }
    const recorder = await ClusterRecorder.start(request).catch(unreadable({ server }))
    for (const missing of recorder.missing) {
      const meant = await suggestionFor(missing, client, namespace)
      notify(
        `${missing.kind}/${missing.name} does not exist.${meant} It is recorded if it is created within ${formatLength(Math.min(creationMs, options.for ?? creationMs))}.`,
      )
    }
    notify(`Recording ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`} of ${server}. Ctrl-C ends it.`)
    await waitForEnd(recorder, options, workloads.length)
    const { missing } = recorder
    const trace = recorder.end()
    if (isNothingThere(missing, workloads.length))
      throw new Error(
        `There is nothing to write: ${missing.map(({ kind, name }) => `${kind}/${name}`).join(', ')} ${missing.length === 1 ? 'was' : 'were'} not created.`,
      )
    if (options.learn !== undefined) {
      learnFromTrace(trace, learned)
      // A rollout without a single start or stop teaches nothing: what is there may.
      if ([...learned.values()].every(({ startup }) => startup.length === 0)) await learn()
    }
    return { trace, learned }
  } finally {
    client.close()
  }
}

const isNothingThere = (missing: readonly WorkloadName[], named: number) => named > 0 && missing.length === named

function waitForEnd(recorder: ClusterRecorder, { for: forMs, untilComplete }: RecordOptions, named: number): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false
    let completePolls = 0
    const end = () => {
      isOver = true
      resolve()
    }
    onEndSignal(end)
    const poll = () => {
      if (isOver) return
      const { elapsedMs } = recorder.progress
      showProgress(recorder)
      // The watches are not synchronised: the rollout must be complete at two polls in a row.
      completePolls = untilComplete !== undefined && recorder.isComplete ? completePolls + 1 : 0
      const isTooLate = elapsedMs >= creationMs && isNothingThere(recorder.missing, named)
      if (completePolls >= 2 || isTooLate || (forMs !== undefined && elapsedMs >= forMs)) end()
      else realClock.after(forMs === undefined ? pollMs : Math.min(pollMs, Math.max(1, forMs - elapsedMs)), poll)
    }
    poll()
  })
}

function showProgress(recorder: ClusterRecorder): void {
  if (!process.stderr.isTTY) return
  const { elapsedMs, changes, pods, terminating } = recorder.progress
  const seconds = formatLength(Math.floor(elapsedMs / 1000) * 1000)
  process.stderr.write(`\r\x1b[K● ${seconds}  ${pods} pods${terminating > 0 ? `, ${terminating} terminating` : ''}  ${changes} changes`)
}

function summaryOf(trace: Trace): string {
  const { measures } = measureTrace(trace)
  const over = measures.peakOverCap > 0 ? `, ${measures.peakOverCap} over the cap of ${measures.cap}` : ''
  return `${trace.title}, ${trace.changes.length} changes in ${formatLength(trace.endMs)}, at most ${measures.peakPods} pods${over}`
}

// Learns how long pods take, from the pods and events that a cluster has now.
interface LearnRequest {
  readonly client: Client
  /** Absent: all. */
  readonly namespace?: string | undefined
  /** Such as `deployment/web`. Empty: all. */
  readonly workloads: readonly string[]
}

async function learnFromCluster({ client, namespace, workloads }: LearnRequest, learned: LearnedSamples): Promise<LearnedSamples> {
  const scope = namespace === undefined ? {} : { namespace }
  const [own, sets, events] = await Promise.all([
    client.list(pods, scope),
    client.list(replicaSets, scope),
    // Without permission for events there are no times of pulls.
    client.list(coreEvents, scope).catch((error: unknown) => {
      if (!isStatusError(error)) throw error
      return { items: [] }
    }),
  ])
  const deployments = new Map(
    sets.items.map(({ metadata }) => [metadata.uid, metadata.ownerReferences?.find(({ controller }) => controller)] as const),
  )
  const workloadOf = ({ metadata }: Stored<Pod>) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller)
    const top = owner?.uid === undefined ? undefined : (deployments.get(owner.uid) ?? owner)
    const name = top && `${top.kind?.toLowerCase()}/${top.name}`
    if (name === undefined || (workloads.length > 0 && !workloads.includes(name))) return undefined
    return timingKey({ kind: top?.kind ?? '', namespace: metadata.namespace ?? '', name: top?.name ?? '' })
  }
  return learnFromPods(own.items, events.items, workloadOf, learned)
}
