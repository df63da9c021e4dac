// A server in a process of its own, started as a user would start it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realClock } from '../src/base/clock.ts'
import { createHttpClient } from '../src/client/http-client.ts'
import { readKubeconfig } from '../src/client/kubeconfig.ts'
import { Connection } from './connection.ts'
import { readTarget, type Target } from './kubeconfig.ts'
import { megabytesOf } from './measuring.ts'

export interface StartedServer {
  readonly target: Target
  /** From the start of the process to the response to the first request. */
  readonly startMs: number
  /** The processor time of all its threads so far; NaN where the system does not report it. */
  cpuSeconds(): number
  /** Its resident memory, and the part of it that is not mapped from files; NaN where the system does not report it. */
  memoryMegabytes(): { readonly resident: number; readonly own: number }
  stop(): Promise<void>
}

export async function startServer(command: string, dataDir: string, nodes = 0, flags: readonly string[] = []): Promise<StartedServer> {
  const kubeconfig = join(dataDir, 'kubeconfig')
  const start = performance.now()
  const child = spawn(process.execPath, [command, 'up', '--nodes', String(nodes), '--data-dir', dataDir, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await listening(child)
  const target = await readTarget(kubeconfig)
  const connection = await Connection.open(target)
  const answer = await connection.get('/api/v1/namespaces/default')
  const startMs = performance.now() - start
  connection.close()
  if (answer.code !== 200) throw new Error(`Cannot measure: the first request was answered with ${answer.code}`)
  const { pid } = child
  return {
    target,
    startMs,
    cpuSeconds: () => readCpuSeconds(pid!),
    memoryMegabytes: () => ({ resident: megabytesOf(pid!, 'VmRSS'), own: megabytesOf(pid!, 'RssAnon') }),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** Starts the command that was built with this benchmark, on a new data directory, and connects a client. */
export async function startOwnServer(nodes: number, flags: readonly string[] = []) {
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-bench-'))
  const server = await startServer(join(dirname(fileURLToPath(import.meta.url)), 'rollcall.mjs'), dataDir, nodes, flags)
  const connection = await readKubeconfig({ paths: [join(dataDir, 'kubeconfig')], clock: realClock })
  const client = createHttpClient({ connection, name: 'bench' })
  return {
    server,
    client,
    dataDir,
    /** Also removes the data directory. */
    async stop() {
      client.close()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.on('data', (piece) => {
      said += piece
      if (said.includes(' is up at ')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`Cannot measure: the server ended with ${code}`)))
  })
}

function readCpuSeconds(pid: number): number {
  try {
    let nanoseconds = 0
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    return nanoseconds / 1e9
  } catch {
    return Number.NaN
  }
}
