// The kubeconfig of a cluster, by which kubectl and other clients find it and authenticate.
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createCertificate, type KeyAndCertificate } from '../credentials/certificates.ts'
import { type Credentials, readPair, writePrivately } from '../credentials/credentials.ts'
import { isAlive, isListening } from './cluster-record.ts'

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
  const names = { context: name, cluster: name, user: name }
  const text = kubeconfigText(names, { url, authority: authority.certificate, client: admin }, ownMark)
  return `${text}    token: ${token}\n${process === undefined ? '' : `# process ${process}\n`}`
}

/** The name of the extension that marks the entries of `rollcall up`: only these are replaced and removed, whatever their names are. */
export const ownExtension = 'rollcall.dev'
const ownMark = `    extensions:
    - name: ${ownExtension}
      extension:
        provider: rollcall
`

const headOf = (context: string, cluster: string) => `apiVersion: v1
kind: Config
current-context: ${context}
clusters:
- name: ${cluster}
`

/** YAML in the form that kubectl writes, because people read this file. Names are written as they are given. It ends with the fields of the user. */
function kubeconfigText(
  { context, cluster, user }: Readonly<Record<'context' | 'cluster' | 'user', string>>,
  { url, authority, client }: { readonly url: string; readonly authority: string; readonly client: KeyAndCertificate },
  mark = '',
): string {
  const data = (text: string) => Buffer.from(text).toString('base64')
  return `${headOf(context, cluster)}  cluster:
    server: ${url}
    certificate-authority-data: ${data(authority)}
${mark}contexts:
- name: ${context}
  context:
    cluster: ${cluster}
    user: ${user}
${mark}users:
- name: ${user}
  user:
${mark}    client-certificate-data: ${data(client.certificate)}
    client-key-data: ${data(client.key)}
`
}

/** Links are kept, also one that leads to no file. */
export const writeKubeconfig = (path: string, text: string): void => writePrivately(linkTarget(path), text)

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
  if (text.trim() === '' || (text.startsWith(headOf(name, name)) && ownerPattern.test(text))) return
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
  const others = (clusters as readonly (NamedCluster | null)[]).filter((one) => one?.name !== name || !isOwnCluster(one))
  const shown = others.map((one) => (typeof one?.name === 'string' ? one.name : 'one without a name'))
  if (others.length > 0) throw refuse(`the existing file has other clusters (${shown.join(', ')})`)
}

interface NamedCluster {
  readonly name?: unknown
  readonly cluster?: { readonly extensions?: unknown } | null
}

function isOwnCluster({ cluster }: NamedCluster): boolean {
  const extensions = cluster?.extensions
  return Array.isArray(extensions) && extensions.some((one: { readonly name?: unknown } | null) => one?.name === ownExtension)
}

const ownerPattern = /^# process (\d+)$/m

/** Throws where the cluster that wrote the file is still running: its clients would silently use another cluster. */
export async function requireUnused(path: string): Promise<void> {
  const text = readIfAny(path)
  const owner = Number(ownerPattern.exec(text)?.[1])
  const url = /^ +server: (\S+)$/m.exec(text)?.[1]
  if (url === undefined || !URL.canParse(url) || !(owner > 0) || owner === process.pid || !isAlive(owner)) return
  // After a crash, another process may have the same number. It does not also listen at that address.
  if (await isListening(new URL(url))) throw refusal(path, `the cluster of process ${owner} is using it`)
}

const maxLinks = 40

/** The file that a path leads to through symbolic links, also where the last one leads to no file. To write it keeps the links. */
export function linkTarget(path: string): string {
  let target = resolve(path)
  for (let count = 0; count < maxLinks; count++) {
    let link: string
    try {
      link = readlinkSync(target)
    } catch {
      return target
    }
    target = resolve(dirname(target), link)
  }
  throw new Error(`Cannot write ${JSON.stringify(path)}: it is a link to itself.`)
}

// A kubeconfig for another user of a cluster: a client certificate of the cluster's authority.
interface UserCertificate {
  /** All in PEM. */
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

/** `folder` has the credentials of the cluster. */
export function issueUserCertificate(folder: string, user: string, groups: readonly string[], nowMs: number): UserCertificate {
  const path = join(folder, 'ca')
  if (!existsSync(`${path}.key`))
    throw new Error(`Cannot find the certificate authority ${JSON.stringify(`${path}.key`)}. Start the cluster once.`)
  const authority = readPair(path)
  const { certificate, key } = createCertificate(authority, { commonName: user, organizations: groups, use: 'client' }, nowMs)
  return { authority: authority.certificate, certificate, key }
}

interface UserKubeconfig extends UserCertificate {
  /** Of the cluster. */
  readonly name: string
  readonly url: string
  readonly user: string
}

export function formatUserKubeconfig({ name, url, user, authority, certificate, key }: UserKubeconfig): string {
  const names = { context: JSON.stringify(`${user}@${name}`), cluster: name, user: JSON.stringify(user) }
  return kubeconfigText(names, { url, authority, client: { certificate, key } })
}
