// The runs of a plan, one after the other.
import type { Plan } from './plan.ts'
import { type RunAnswer, type RunTask, runTask } from './run-task.ts'

export interface RunTasksOptions {
  /** How much of it is done, from 0 to 1. */
  onProgress?(share: number): void
  /** So many runs at a time. Absent: as many as pay. */
  readonly workers?: number
}

export async function runTasks(plan: Plan, tasks: readonly RunTask[], { onProgress }: RunTasksOptions): Promise<RunAnswer[]> {
  const answers: RunAnswer[] = []
  for (const task of tasks) {
    answers.push(await runTask(plan, task))
    onProgress?.(answers.length / tasks.length)
  }
  return answers
}
