// The file that kubectl and every client library read to find a cluster and get in.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Credentials } from './credentials.ts'

export interface KubeconfigOptions {
  readonly url: string
  readonly credentials: Credentials
  /** The name of its cluster, user and context. */
  readonly name?: string
  /** The process of the cluster, which has the file for as long as it runs. */
  readonly process?: number
}

const usualName = 'rollcall'

const headOf = (name: string) => `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
`

/** JSON is YAML too, but people look into this file: it is written as they know it. */
export function formatKubeconfig({ url, credentials, name = usualName, process }: KubeconfigOptions): string {
  const data = (text: string) => Buffer.from(text).toString('base64')
  return `${headOf(name)}  cluster:
    server: ${url}
    certificate-authority-data: ${data(credentials.authority.certificate)}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
users:
- name: ${name}
  user:
    client-certificate-data: ${data(credentials.admin.certificate)}
    client-key-data: ${data(credentials.admin.key)}
    token: ${credentials.token}
${process === undefined ? '' : `# process ${process}\n`}`
}

const refusal = (path: string, why: string) =>
  new Error(`Cannot write kubeconfig ${JSON.stringify(path)}: ${why}; choose another with --kubeconfig`)

/** Throws where something stands at that path that would be lost: a file of other clusters, or no kubeconfig at all. */
export async function requireReplaceable(path: string, name = usualName): Promise<void> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // Nothing to lose; what else is wrong with the path, writing will tell.
    return
  }
  if (text.trim() === '' || text.startsWith(headOf(name))) return
  // kubectl has rewritten ours in its own way, or it is somebody else's.
  const { parse } = await import('yaml')
  const refuse = (why: string) => refusal(path, why)
  let clusters: unknown
  try {
    clusters = (parse(text) as { readonly clusters?: unknown } | null)?.clusters
  } catch {
    throw refuse('a file that is no kubeconfig is there')
  }
  if (!Array.isArray(clusters)) throw refuse('a file that is no kubeconfig is there')
  const others = clusters.map((one: { readonly name?: unknown } | null) => String(one?.name)).filter((one) => one !== name)
  if (others.length > 0) throw refuse(`it holds other clusters (${others.join(', ')}), which would be lost`)
}

/** Throws where the cluster that wrote the file still runs: its users would find themselves in another cluster. */
export async function requireUnused(path: string): Promise<void> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return
  }
  const owner = Number(/^# process (\d+)$/m.exec(text)?.[1])
  const url = /^ +server: (\S+)$/m.exec(text)?.[1]
  if (url === undefined || !(owner > 0) || owner === process.pid || !isAlive(owner)) return
  // After a crash another process may have the number; it does not listen there, too.
  if (await isListening(new URL(url))) throw refusal(path, `the cluster of process ${owner} is using it`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const answerMs = 500

function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(answerMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
