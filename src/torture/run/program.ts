// The program under test: a process group that is started, killed and suspended, and whose threads are observed.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

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

/** What the threads of the program do. */
interface Activity {
  readonly isAsleep: boolean
  /** In ticks of the kernel. */
  readonly cpuTicks: number
}

const keptCharacters = 20_000
const shownLines = 15
/** Linux. Elsewhere only requests and time tell whether a program is quiet. */
const hasProc = existsSync('/proc/self/task')

/** They must not outlive this process. */
const running = new Set<Program>()
process.on('exit', () => {
  for (const program of running) program.kill()
})

export class Program {
  readonly #child: ChildProcess
  #output = ''
  #isKilled = false
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

  /** Undefined where the platform does not say. */
  activity(): Activity | undefined {
    const { pid } = this.#child
    if (!hasProc || pid === undefined || this.hasEnded) return undefined
    let isAsleep = true
    let cpuTicks = 0
    for (const one of withChildren(pid)) {
      for (const stat of statsOf(one)) {
        // The name in parentheses may contain spaces.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (fields[0] === 'R' || fields[0] === 'D') isAsleep = false
        cpuTicks += Number(fields[11]) + Number(fields[12])
      }
    }
    return { isAsleep, cpuTicks }
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

function withChildren(pid: number): number[] {
  const found = [pid]
  for (const one of found) {
    for (const thread of list(`/proc/${one}/task`)) {
      const children = read(`/proc/${one}/task/${thread}/children`)?.trim()
      if (children) found.push(...children.split(' ').map(Number))
    }
  }
  return found
}

const statsOf = (pid: number) => list(`/proc/${pid}/task`).flatMap((thread) => read(`/proc/${pid}/task/${thread}/stat`) ?? [])

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
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
