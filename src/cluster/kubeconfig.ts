// The file that kubectl and every client library read to find a cluster and get in.
import { readFileSync } from 'node:fs'
import type { Credentials } from './credentials.ts'

export interface KubeconfigOptions {
  readonly url: string
  readonly credentials: Credentials
  /** The name of its cluster, user and context. */
  readonly name?: string
}

const usualName = 'rollcall'

const headOf = (name: string) => `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
`

/** JSON is YAML too, but people look into this file: it is written as they know it. */
export function formatKubeconfig({ url, credentials, name = usualName }: KubeconfigOptions): string {
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
`
}

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
  const refuse = (why: string) => new Error(`Cannot write kubeconfig ${JSON.stringify(path)}: ${why}; choose another with --kubeconfig`)
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
