// Executes the runs of plans in this thread, or in several where that is faster. The result is the same.
import { existsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { Worker } from 'node:worker_threads'
import { InputError } from './input-error.ts'
import { maxPods, type Plan } from './plan.ts'
import { type RunAnswer, type RunTask, runTask } from './run-task.ts'
import type { FromWorker, ToWorker } from './run-worker.ts'

export interface RunTasksOptions {
  /** The share that is done, from 0 to 1. */
  onProgress?(share: number): void
  /** The number of further threads. Absent: chosen by the size of the plan. */
  readonly workers?: number | undefined
  /** Nothing runs in the current thread, which has other work: that of a server. */
  readonly keepsThreadFree?: boolean
}

// Limits for the pods of all runs together. A thread takes a fifth of a second to start; and while V8 compiles, which takes it another
// second or two, it keeps a second core busy.
const worthwhilePods = 600
const manyPods = 6000
const youngMb = 64
const maxWorkers = 16
// Built beside the bundle that this is part of.
const workerFile = new URL('./simulation-worker.mjs', import.meta.url)

export interface Job {
  readonly plan: Plan
  readonly task: RunTask
}

/** The runs of one plan. The first that fails ends all. */
export async function runTasks(plan: Plan, tasks: readonly RunTask[], options: RunTasksOptions): Promise<RunAnswer[]> {
  const answers = new Array<RunAnswer>(tasks.length)
  const jobs = tasks.map((task) => ({ plan, task }))
  await runEach(jobs, options, (index, answer) => {
    answers[index] = answer
  })
  return answers
}

/** Where `onFailure` is given, a run that fails ends no other. */
export async function runEach(
  jobs: readonly Job[],
  options: RunTasksOptions,
  onAnswer: (index: number, answer: RunAnswer) => void,
  onFailure?: (index: number, error: unknown) => void,
): Promise<void> {
  const { onProgress, workers, keepsThreadFree = false } = options
  const pods = jobs.reduce((sum, { plan }) => sum + maxPods(plan), 0)
  const wanted = workers ?? Math.min(worthwhileThreads(pods, availableParallelism()) - 1, maxWorkers)
  const hasWorkers = existsSync(workerFile)
  const isFree = keepsThreadFree && hasWorkers
  const count = hasWorkers ? Math.max(isFree ? 1 : 0, Math.min(wanted, jobs.length - 1)) : 0
  const progress = new Progress(jobs.length, onProgress)
  let next = 0
  let hasFailed = false
  const others = new Workers(count)
  const take = async (run: RunOne) => {
    while (next < jobs.length) {
      const index = next++
      try {
        onAnswer(index, await run(index, jobs[index]!, (share) => hasFailed || progress.note(index, share)))
      } catch (error) {
        if (onFailure === undefined) throw error
        onFailure(index, error)
      }
      if (!hasFailed) progress.note(index, 1)
    }
  }
  try {
    const own: RunOne = (_, { plan, task }, onProgress) => runTask(plan, task, { onProgress, isCancelled: () => hasFailed })
    await Promise.all([...(isFree ? [] : [own]), ...others.runners].map(take))
  } catch (error) {
    // No thread starts another run.
    next = jobs.length
    hasFailed = true
    throw error
  } finally {
    others.stop()
  }
}

/** How many threads pay for so many pods in all runs together. The current thread is one of them. */
export function worthwhileThreads(pods: number, cores: number): number {
  if (pods < worthwhilePods) return 1
  return pods < manyPods ? Math.max(1, Math.floor(cores / 2)) : cores
}

type RunOne = (index: number, job: Job, onProgress: (share: number) => void) => Promise<RunAnswer>

class Progress {
  readonly #shares: number[]
  readonly #tell: ((share: number) => void) | undefined
  #sum = 0

  constructor(tasks: number, tell: ((share: number) => void) | undefined) {
    this.#shares = new Array<number>(tasks).fill(0)
    this.#tell = tell
  }

  note(index: number, share: number): void {
    this.#sum += share - this.#shares[index]!
    this.#shares[index] = share
    this.#tell?.(Math.min(1, this.#sum / this.#shares.length))
  }
}

/** Threads, each of which executes one run at a time. */
class Workers {
  readonly runners: readonly RunOne[]
  readonly #running: Worker[] = []

  constructor(count: number) {
    const oldMb = Math.max(512, Math.floor((totalmem() / 2 ** 20 / (count + 1)) * 0.8))
    this.runners = Array.from({ length: count }, () => {
      const worker = new Worker(workerFile, {
        resourceLimits: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: oldMb },
      })
      this.#running.push(worker)
      return runnerOf(worker)
    })
  }

  stop(): void {
    for (const worker of this.#running) void worker.terminate()
  }
}

function runnerOf(worker: Worker): RunOne {
  let onShare = (_share: number) => {}
  let resolve = (_answer: RunAnswer) => {}
  let reject = (_error: Error) => {}
  worker.on('error', (error) => reject(error as Error))
  worker.on('exit', (code) => reject(new Error(`A thread of the simulation ended with ${code}`)))
  worker.on('message', (message: FromWorker) => {
    if ('share' in message) onShare(message.share)
    else if ('failure' in message) reject(message.isInput ? new InputError(message.failure) : new Error(message.failure))
    else resolve(message.answer)
  })
  let known: Plan | undefined
  return (index, { plan, task }, onProgress) => {
    onShare = onProgress
    worker.postMessage({ index, task, ...(plan !== known && { plan }) } satisfies ToWorker)
    known = plan
    return new Promise((answered, failed) => {
      resolve = answered
      reject = failed
    })
  }
}
