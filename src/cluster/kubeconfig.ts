// The kubeconfig of a cluster, by which kubectl and other clients find it and authenticate.
import { readFileSync } from 'node:fs'
import type { KeyAndCertificate } from './certificates.ts'
import type { Credentials } from './credentials.ts'
import { isAlive, isListening } from './running-process.ts'

interface KubeconfigOptions {
  readonly url: string
  readonly credentials: Credentials
  /** The name of its cluster, user and context. */
  readonly name?: string
  /** The process of the cluster, which owns the file while it runs. */
  readonly process?: number
}

const defaultName = 'rollcall'

export function formatKubeconfig({ url, credentials, name = defaultName, process }: KubeconfigOptions): string {
  const { authority, admin, token } = credentials
  const text = kubeconfigText({ context: name, cluster: name, user: name }, { url, authority: authority.certificate, client: admin })
  return `${text}    token: ${token}\n${process === undefined ? '' : `# process ${process}\n`}`
}

const headOf = (context: string, cluster: string) => `apiVersion: v1
kind: Config
current-context: ${context}
clusters:
- name: ${cluster}
`

/** YAML in the form that kubectl writes, because people read this file. Names are written as they are given. It ends with the fields of the user. */
export function kubeconfigText(
  { context, cluster, user }: Readonly<Record<'context' | 'cluster' | 'user', string>>,
  { url, authority, client }: { readonly url: string; readonly authority: string; readonly client: KeyAndCertificate },
): string {
  const data = (text: string) => Buffer.from(text).toString('base64')
  return `${headOf(context, cluster)}  cluster:
    server: ${url}
    certificate-authority-data: ${data(authority)}
contexts:
- name: ${context}
  context:
    cluster: ${cluster}
    user: ${user}
users:
- name: ${user}
  user:
    client-certificate-data: ${data(client.certificate)}
    client-key-data: ${data(client.key)}
`
}

const refusal = (path: string, why: string) =>
  new Error(`Cannot write kubeconfig ${JSON.stringify(path)}: ${why}. Choose another with --kubeconfig.`)

/** Empty where there is no file. Any other problem with the path is reported when the file is written. */
function readIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Throws where writing would lose an existing file: one with other clusters, or one that is not a kubeconfig. */
export async function requireReplaceable(path: string, name = defaultName): Promise<void> {
  const text = readIfAny(path)
  if (text.trim() === '' || text.startsWith(headOf(name, name))) return
  // kubectl may have rewritten our file in its own format, or the file belongs to another cluster.
  const { parse } = await import('yaml')
  const refuse = (why: string) => refusal(path, why)
  let clusters: unknown
  try {
    clusters = (parse(text) as { readonly clusters?: unknown } | null)?.clusters
  } catch {
    throw refuse('the existing file is not a kubeconfig')
  }
  if (!Array.isArray(clusters)) throw refuse('the existing file is not a kubeconfig')
  const others = clusters.map((one: { readonly name?: unknown } | null) => String(one?.name)).filter((one) => one !== name)
  if (others.length > 0) throw refuse(`the existing file has other clusters (${others.join(', ')})`)
}

/** Throws where the cluster that wrote the file is still running: its clients would silently use another cluster. */
export async function requireUnused(path: string): Promise<void> {
  const text = readIfAny(path)
  const owner = Number(/^# process (\d+)$/m.exec(text)?.[1])
  const url = /^ +server: (\S+)$/m.exec(text)?.[1]
  if (url === undefined || !(owner > 0) || owner === process.pid || !isAlive(owner)) return
  // After a crash, another process may have the same number. It does not also listen at that address.
  if (await isListening(new URL(url))) throw refusal(path, `the cluster of process ${owner} is using it`)
}
