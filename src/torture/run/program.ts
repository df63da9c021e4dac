// The program under test: a process group that is started, killed and suspended, and whose threads are observed.
import { type ChildProcess, spawn } from 'node:child_process'
import { hasProc, read, type ThreadActivity, ThreadObserver, withChildren } from './thread-activity.ts'

interface ProgramOptions {
  /** For the shell. */
  readonly command: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** The program has ended by itself. */
  onExit(exit: ProgramExit): void
}

interface ProgramExit {
  readonly code: number | null
  readonly signal: string | null
  /** The last lines that it wrote. */
  readonly output: string
}

const keptCharacters = 20_000
const shownLines = 15
/** They must not outlive this process. */
const running = new Set<Program>()
process.on('exit', () => {
  for (const program of running) program.kill()
})

export class Program {
  readonly #child: ChildProcess
  #output = ''
  #isKilled = false
  #threads: ThreadObserver | undefined
  hasEnded = false

  constructor({ command, env, directory, onExit }: ProgramOptions) {
    // A process group of its own: the shell may start further processes.
    this.#child = spawn('/bin/sh', ['-c', command], {
      cwd: directory,
      env: env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (piece: Buffer) => {
        this.#output = (this.#output + piece.toString()).slice(-keptCharacters)
      })
    running.add(this)
    this.#child.on('error', () => {})
    this.#child.on('exit', () => {
      this.hasEnded = true
      running.delete(this)
      // What the shell has started may hold its output open.
      this.#signal('SIGKILL')
    })
    // Its whole output has been read.
    this.#child.on('close', (code, signal) => {
      if (!this.#isKilled) onExit({ code, signal, output: this.output })
    })
  }

  get output(): string {
    return this.#output.trimEnd().split('\n').slice(-shownLines).join('\n')
  }

  /** All that it wrote, up to a limit. */
  get log(): string {
    return this.#output
  }

  /** At once, between any two instructions. */
  kill(): void {
    this.#isKilled = true
    this.#signal('SIGKILL')
  }

  suspend(): void {
    this.#signal('SIGSTOP')
  }

  resume(): void {
    this.#signal('SIGCONT')
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // It has ended.
    }
  }

  /** What its threads do. Undefined where the platform does not say. */
  activity(): ThreadActivity | undefined {
    const { pid } = this.#child
    if (!hasProc || pid === undefined || this.hasEnded) return undefined
    this.#threads ??= new ThreadObserver(pid)
    return this.#threads.observe()
  }

  /** The memory of its processes, in bytes. */
  residentBytes(): number {
    const { pid } = this.#child
    if (!hasProc || pid === undefined || this.hasEnded) return 0
    let pages = 0
    for (const one of withChildren(pid)) pages += Number(read(`/proc/${one}/statm`)?.split(' ')[1] ?? 0)
    return pages * 4096
  }
}

/** Whether every byte on the connections of that port has been read by its receiver. True where the platform does not say. */
export function areSocketsDrained(port: number): boolean {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = hasProc ? read(table) : undefined
    if (text === undefined) continue
    for (const line of text.split('\n')) {
      const [, local = '', remote = '', state, queues = ''] = line.trim().split(/\s+/)
      // 01 is an established connection; the queue of a listening socket counts connections.
      if (state === '01' && (local.endsWith(wanted) || remote.endsWith(wanted)) && queues !== '00000000:00000000') return false
    }
  }
  return true
}
