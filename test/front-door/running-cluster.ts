// A cluster of the built command in a process of its own, found through its kubeconfig.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endOf } from './ended-process.ts'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The built command, or another build that ROLLCALL_COMMAND names. */
export const command = process.env['ROLLCALL_COMMAND'] ?? join(root, 'dist/rollcall.mjs')

export interface RunningCluster {
  readonly url: string
  readonly token: string
  readonly folder: string
  readonly kubeconfig: string
  readonly process: ChildProcess
  /** Everything that it printed so far. */
  output(): string
  /** Sends one request with the token. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ code: number; text: string; json: unknown; headers: Readonly<Record<string, unknown>> }>
  /** Ends the process with this signal and keeps its directory. */
  end(signal: NodeJS.Signals): Promise<number | null>
  stop(): Promise<void>
}

/** `rollcall up` with these flags. Default: in memory, without nodes, in a directory of its own. */
export async function startCluster(
  flags: readonly string[] = ['--memory'],
  folder = mkdtempSync(join(tmpdir(), 'rollcall-')),
  /** A program that starts the command, with its arguments. */
  launcher: readonly string[] = [],
): Promise<RunningCluster> {
  const nodes = flags.includes('--nodes') ? [] : ['--nodes', '0']
  const [program, ...first] = [...launcher, process.execPath]
  const child = spawn(program!, [...first, command, 'up', '--port', '0', '--data-dir', folder, ...nodes, ...flags], {
    cwd: dirname(folder),
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ctrl-C stops it.')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`rollcall up ended with ${code}: ${output}`)))
  })
  await ready
  const kubeconfig = join(folder, 'kubeconfig')
  const token = readFileSync(join(folder, 'credentials/token'), 'utf8').trim()
  const ca = readFileSync(join(folder, 'credentials/ca.crt'), 'utf8')
  const url = /https:\/\/\S+:\d+/.exec(output)?.[0] ?? ''
  const agent = new Agent({ keepAlive: true, ca })
  const end = async (signal: NodeJS.Signals) => {
    agent.destroy()
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'close')
    }
    return child.exitCode
  }
  return {
    url,
    token,
    folder,
    kubeconfig,
    process: child,
    output: () => output,
    ask: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
        // Node sends the body of a DELETE without a length by default.
        const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
        const outgoing = request(
          new URL(url),
          { agent, method, path, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...length, ...headers } },
          (response) => {
            let text = ''
            response.setEncoding('utf8')
            response.on('data', (chunk) => {
              text += chunk
            })
            response.on('end', () => resolve({ code: response.statusCode ?? 0, text, json: parsed(text), headers: response.headers }))
            response.on('error', reject)
          },
        )
        outgoing.on('error', reject)
        outgoing.end(payload)
      }),
    end,
    async stop() {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The minor version of the kubectl on this machine, or undefined when there is none that can be used. */
export function kubectlMinor(): number | undefined {
  const { stdout, status } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const minor = Number.parseInt((JSON.parse(stdout) as { clientVersion: { minor: string } }).clientVersion.minor, 10)
  return minor >= 32 ? minor : undefined
}

const kubectlEnvironment = (cluster: RunningCluster) => ({
  ...process.env,
  HOME: cluster.folder,
  KUBECONFIG: cluster.kubeconfig,
  KUBECACHEDIR: join(cluster.folder, 'cache'),
})

/** Starts a long-running kubectl, such as a watch, and yields its lines. Leaving the loop ends it. */
export async function* kubectlLines(cluster: RunningCluster, args: readonly string[]): AsyncGenerator<string> {
  const child = spawn('kubectl', args, { cwd: cluster.folder, env: kubectlEnvironment(cluster), stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    yield* createInterface(child.stdout)
  } finally {
    child.kill()
  }
}

/** Runs kubectl against the cluster, without touching anything in the home directory. */
export function kubectlFor(cluster: RunningCluster) {
  return (args: string, input = '', environment: Readonly<Record<string, string>> = {}) =>
    endOf(spawn('sh', ['-c', `kubectl ${args}`], { cwd: cluster.folder, env: { ...kubectlEnvironment(cluster), ...environment } }), input)
}
