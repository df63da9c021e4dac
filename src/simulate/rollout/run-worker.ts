// The thread that executes runs, one at a time.
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../base/error-message.ts'
import { InputError } from './input-error.ts'
import type { Plan } from './plan.ts'
import { type RunAnswer, type RunTask, runTask } from './run-task.ts'

/** `plan` absent: that of the run before. */
export type ToWorker = { readonly index: number; readonly task: RunTask; readonly plan?: Plan }
export type FromWorker =
  | { readonly index: number; readonly answer: RunAnswer }
  | { readonly index: number; readonly share: number }
  | { readonly index: number; readonly failure: string; readonly isInput: boolean }

const tell = (message: FromWorker) => parentPort?.postMessage(message)

let known: Plan

parentPort?.on('message', async ({ index, task, plan = known }: ToWorker) => {
  known = plan
  try {
    tell({ index, answer: await runTask(plan, task, { onProgress: (share) => tell({ index, share }) }) })
  } catch (error) {
    tell({ index, failure: messageOf(error), isInput: error instanceof InputError })
  }
})
