// Waits for a process to end, and collects its output.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'

export interface EndedProcess {
  /** null: a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function endOf(child: ChildProcessWithoutNullStreams, input?: string): Promise<EndedProcess> {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  if (input !== undefined) child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** The standard output of a command that must succeed. */
export async function outputOf(command: string, ended: Promise<EndedProcess>): Promise<string> {
  const { code, stdout, stderr } = await ended
  if (code !== 0) throw new Error(`${command}: ${code}\n${stdout}${stderr}`)
  return stdout
}
