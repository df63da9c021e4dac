// A command that runs in a container in addition to its own process, as with `kubectl exec`. It reads and writes the files of the
// container, takes simulated time, and is killed when the container ends.
import type { Container } from '../api/types.ts'
import type { CancelTimer, Clock } from '../base/clock.ts'
import { startExec } from './kubelet/program.ts'
import type { SyncContext } from './kubelet/sync-context.ts'
import type { Files } from './shell/files.ts'
import { type Process, type ProcessRun, runProcess } from './shell/process.ts'
import { WorkBudget } from './work-budget.ts'

export interface SessionListener {
  onOutput(text: string, isError: boolean): void
  onEnd(exitCode: number): void
}

/** The files that the command works on. `readFiles` returns undefined once the container has ended. */
interface SessionFiles {
  readFiles(): Files | undefined
  writeFiles(files: Files): void
}

/** How often to check that the container still runs. */
const pollMs = 1000
const killedCode = 137
const notFoundCode = 127

/** Undefined: the command could not be started, and the listener has received the reason. */
export function startCommand(
  sync: SyncContext,
  container: Container,
  command: readonly string[],
  input: string,
  listener: SessionListener,
): Process | undefined {
  const refuse = (why: string) => {
    listener.onOutput(`OCI runtime exec failed: exec failed: unable to start container process: ${why}: unknown\n`, true)
    listener.onEnd(notFoundCode)
  }
  try {
    const process = startExec(sync, container, command, sync.nowMs, { onUnknown: 'fail', input })
    if (process === undefined) refuse(notFound(command))
    return process
  } catch (error) {
    refuse((error as Error).message)
    return undefined
  }
}

function notFound([name = '', ...words]: readonly string[]): string {
  const shown = JSON.stringify(name.slice(0, 200))
  // The shell exists, but its script does not.
  const script = words.find((word) => !word.startsWith('-'))
  if (/(?:^|\/)(?:sh|bash|ash|dash|zsh|ksh)$/.test(name) && script !== undefined)
    return `exec: ${shown}: can't open '${script.slice(0, 200)}': No such file or directory`
  return name.includes('/')
    ? `exec: ${shown}: stat ${name.slice(0, 200)}: no such file or directory`
    : `exec: ${shown}: executable file not found in $PATH`
}

/** Returns a function that stops the session: the command is dropped and the listener is not called again. */
export function startSession(first: Process, clock: Clock, access: SessionFiles, listener: SessionListener): () => void {
  let process = first
  let cancel: CancelTimer | undefined
  const run = () => {
    const files = access.readFiles()
    if (files === undefined) return listener.onEnd(killedCode)
    const nowMs = clock.now()
    let ran: ProcessRun
    try {
      ran = runProcess(process, files, nowMs, new WorkBudget())
    } catch (error) {
      listener.onOutput(`cannot simulate this command: ${(error as Error).message}\n`, true)
      return listener.onEnd(killedCode)
    }
    process = ran.process
    if (ran.files !== files) access.writeFiles(ran.files)
    for (const { text, isError } of ran.output) listener.onOutput(text, isError === true)
    if (process.exit !== undefined) return listener.onEnd(process.exit.code)
    cancel = clock.after(Math.min(pollMs, Math.max(0, (process.nextMs ?? Number.POSITIVE_INFINITY) - nowMs)), run)
  }
  run()
  return () => cancel?.()
}
