// The runs of a plan: in this thread, or in several where that pays. What comes of it does not depend on where.
import { existsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { Worker } from 'node:worker_threads'
import { InputError } from './input-error.ts'
import { mostPods, type Plan } from './plan.ts'
import { type RunAnswer, type RunTask, runTask } from './run-task.ts'
import type { FromWorker, ToWorker } from './run-worker.ts'

export interface RunTasksOptions {
  /** How much of it is done, from 0 to 1. */
  onProgress?(share: number): void
  /** So many threads; 0: this one. Absent: as many as pay. */
  readonly workers?: number
}

/** A thread takes a fifth of a second to get going: with fewer pods in all runs together it is not worth it. */
const worthwhilePods = 600
const youngMb = 64
const mostWorkers = 16
// Built beside the bundle that this is part of.
const workerFile = new URL('./simulation-worker.mjs', import.meta.url)

export async function runTasks(plan: Plan, tasks: readonly RunTask[], { onProgress, workers }: RunTasksOptions): Promise<RunAnswer[]> {
  const isWorthwhile = tasks.length > 1 && mostPods(plan) * tasks.length >= worthwhilePods
  const wanted = workers ?? (isWorthwhile ? Math.min(availableParallelism(), mostWorkers) : 0)
  const count = Math.min(wanted, tasks.length)
  const progress = new Progress(tasks.length, onProgress)
  if (count > 0 && existsSync(workerFile)) return runInWorkers(plan, tasks, count, progress)
  const answers: RunAnswer[] = []
  for (const [index, task] of tasks.entries()) {
    answers.push(await runTask(plan, task, (share) => progress.note(index, share)))
    progress.note(index, 1)
  }
  return answers
}

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

function runInWorkers(plan: Plan, tasks: readonly RunTask[], count: number, progress: Progress): Promise<RunAnswer[]> {
  const answers = new Array<RunAnswer>(tasks.length)
  const oldMb = Math.max(512, Math.floor((totalmem() / 2 ** 20 / count) * 0.8))
  const running: Worker[] = []
  let next = 0
  let left = tasks.length
  const work = new Promise<void>((resolve, reject) => {
    const feed = (worker: Worker) => {
      const index = next++
      if (index < tasks.length) worker.postMessage({ index, task: tasks[index]! } satisfies ToWorker)
    }
    for (let i = 0; i < count; i++) {
      const worker = new Worker(workerFile, {
        workerData: plan,
        resourceLimits: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: oldMb },
      })
      running.push(worker)
      worker.on('error', reject)
      worker.on('exit', (code) => reject(new Error(`A thread of the simulation ended with ${code}`)))
      worker.on('message', (message: FromWorker) => {
        if ('share' in message) return progress.note(message.index, message.share)
        if ('failure' in message) return reject(message.isInput ? new InputError(message.failure) : new Error(message.failure))
        answers[message.index] = message.answer
        progress.note(message.index, 1)
        if (--left === 0) resolve()
        else feed(worker)
      })
      feed(worker)
    }
  })
  return work
    .then(() => answers)
    .finally(() => {
      for (const worker of running) void worker.terminate()
    })
}
