// A command that somebody runs in a container from outside, as `kubectl exec` does: it sees the files of the container,
// takes its time, and ends with the container at the latest.
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { Files } from './shell/files.ts'
import { type Process, runProcess } from './shell/process.ts'

export interface SessionListener {
  onOutput(text: string, isError: boolean): void
  onEnd(exitCode: number): void
}

/** What the command works on. Undefined from `readFiles`: the container has ended. */
export interface SessionPlace {
  readFiles(): Files | undefined
  writeFiles(files: Files): void
}

/** Whether the container is still there is looked at this often. */
const lookMs = 1000
const killedCode = 137

/** Returns how to stop listening; the command is forgotten then. */
export function startSession(first: Process, clock: Clock, place: SessionPlace, listener: SessionListener): () => void {
  let process = first
  let cancel: CancelTimer | undefined
  const look = () => {
    const files = place.readFiles()
    if (files === undefined) return listener.onEnd(killedCode)
    const nowMs = clock.now()
    const ran = runProcess(process, files, nowMs)
    process = ran.process
    if (ran.files !== files) place.writeFiles(ran.files)
    for (const { text, isError } of ran.output) listener.onOutput(text, isError === true)
    if (process.exit !== undefined) return listener.onEnd(process.exit.code)
    cancel = clock.after(Math.min(lookMs, Math.max(0, (process.nextMs ?? Number.POSITIVE_INFINITY) - nowMs)), look)
  }
  look()
  return () => cancel?.()
}
