// Reads kubeconfig files as kubectl does: several files are merged, the first entry with a name wins, and paths are relative
// to their file.
//
// Caveat: users with an `auth-provider`, which kubectl no longer supports either, are rejected.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { defined } from '../base/defined.ts'
import { urlHostOf } from '../base/url.ts'
import type { Connection } from './connection.ts'
import { execCredential } from './exec-credential.ts'

interface KubeconfigOptions {
  /** Default: the files in KUBECONFIG, or ~/.kube/config. */
  readonly paths?: readonly string[] | undefined
  /** Default: the current context. */
  readonly context?: string | undefined
  readonly clock: Clock
}

interface Named<T> {
  readonly name: string
  readonly value: T
  /** Relative paths start here. */
  readonly folder: string
}

type Fields = Readonly<Record<string, unknown>>

interface Merged {
  readonly clusters: readonly Named<Fields>[]
  readonly users: readonly Named<Fields>[]
  readonly contexts: readonly Named<Fields>[]
  readonly currentContext: string
}

export function defaultKubeconfigPaths(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  return named.length > 0 ? [...new Set(named)] : [join(homedir(), '.kube', 'config')]
}

export async function readKubeconfig({ paths = defaultKubeconfigPaths(), context, clock }: KubeconfigOptions): Promise<Connection> {
  const { parse } = await import('yaml')
  const files = paths.flatMap((path) => {
    try {
      return [{ path, text: readFileSync(path, 'utf8') }]
    } catch (error) {
      // As in kubectl, one of several files may be missing.
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (isMissing && paths.length > 1) return []
      const reason = isMissing ? 'there is no such file; name one with --kubeconfig or KUBECONFIG' : (error as Error).message
      throw new Error(`Cannot read kubeconfig ${JSON.stringify(path)}: ${reason}`)
    }
  })
  const merged = merge(files.map(({ path, text }) => ({ path, config: parseFile(path, () => parse(text) as unknown) })))
  return connectionOf(merged, context, paths.join(delimiter), clock)
}

function parseFile(path: string, parse: () => unknown): Fields {
  try {
    const config = parse() ?? {}
    if (typeof config === 'object' && !Array.isArray(config)) return config as Fields
  } catch (error) {
    throw new Error(`Cannot read kubeconfig ${JSON.stringify(path)}: ${(error as Error).message}`)
  }
  throw new Error(`Cannot read kubeconfig ${JSON.stringify(path)}: it is not a YAML map`)
}

function merge(files: readonly { readonly path: string; readonly config: Fields }[]): Merged {
  const all = (list: string, item: string): Named<Fields>[] =>
    files.flatMap(({ path, config }) => {
      const entries = Array.isArray(config[list]) ? (config[list] as Fields[]) : []
      return entries.map((entry) => ({
        name: String(entry?.['name'] ?? ''),
        value: (entry?.[item] ?? {}) as Fields,
        folder: dirname(resolve(path)),
      }))
    })
  const current = files.map(({ config }) => textOf(config, 'current-context')).find((name) => name !== undefined)
  return {
    clusters: all('clusters', 'cluster'),
    users: all('users', 'user'),
    contexts: all('contexts', 'context'),
    currentContext: current ?? '',
  }
}

function connectionOf(merged: Merged, asked: string | undefined, shownPath: string, clock: Clock): Connection {
  const refuse = (why: string) => new Error(`Cannot use kubeconfig ${JSON.stringify(shownPath)}: ${why}`)
  const find = (what: string, list: readonly Named<Fields>[], name: string): Named<Fields> => {
    const found = list.find((one) => one.name === name)
    if (found === undefined) throw refuse(`${what} ${JSON.stringify(name)} does not exist`)
    return found
  }
  const contextName = asked ?? merged.currentContext
  if (contextName === '') throw refuse('it has no current context. Choose one with kubectl config use-context, or name one with --context')
  const context = find('context', merged.contexts, contextName).value
  const cluster = find('cluster', merged.clusters, textOf(context, 'cluster') ?? '')
  const server = textOf(cluster.value, 'server')
  if (server === undefined || !/^https?:\/\//.test(server)) throw refuse(`cluster ${JSON.stringify(cluster.name)} has no server`)
  if (textOf(cluster.value, 'proxy-url') !== undefined)
    throw refuse(`cluster ${JSON.stringify(cluster.name)} is behind a proxy (proxy-url), which is not supported`)
  const namespace = textOf(context, 'namespace')
  const userName = textOf(context, 'user')
  const user = userName === undefined ? undefined : find('user', merged.users, userName)
  if (user?.value['auth-provider'] !== undefined)
    throw refuse(
      `user ${JSON.stringify(user.name)} logs in by auth-provider, which is no longer supported; use exec, a token or a certificate`,
    )
  const endpoint = {
    server: server.replace(/\/+$/, ''),
    ...(cluster.value['insecure-skip-tls-verify'] === true && { skipTlsVerify: true }),
    ...defined({ certificateAuthority: dataOf(cluster, 'certificate-authority'), tlsServerName: textOf(cluster.value, 'tls-server-name') }),
  }
  const exec = user?.value['exec'] as Fields | undefined
  return {
    ...endpoint,
    ...(namespace !== undefined && { namespace }),
    ...(user !== undefined && exec && execCredential(exec, user.folder, endpoint, clock)),
    ...(user !== undefined && userOf(user, clock)),
  }
}

function userOf(user: Named<Fields>, clock: Clock): Partial<Connection> {
  const token = textOf(user.value, 'token')
  const tokenFile = textOf(user.value, 'tokenFile')
  const username = textOf(user.value, 'username')
  const as = textOf(user.value, 'as')
  const uid = textOf(user.value, 'as-uid')
  return {
    ...defined({ clientCertificate: dataOf(user, 'client-certificate'), clientKey: dataOf(user, 'client-key') }),
    // With both, kubectl uses the token in the file itself.
    ...(token !== undefined
      ? { token: () => token }
      : tokenFile !== undefined && { token: fileToken(resolve(user.folder, tokenFile), clock) }),
    ...(username !== undefined && { basic: { username, password: textOf(user.value, 'password') ?? '' } }),
    ...(as !== undefined && {
      impersonate: {
        user: as,
        ...(uid !== undefined && { uid }),
        groups: (user.value['as-groups'] as readonly string[] | undefined) ?? [],
        extra: (user.value['as-user-extra'] as Readonly<Record<string, readonly string[]>> | undefined) ?? {},
      },
    }),
  }
}

const tokenFreshMs = 60_000

/** The file is read again every minute: it is renewed from time to time. While it cannot be read, the last token is used. */
export function fileToken(path: string, clock: Clock): () => string {
  let token: string | undefined
  let readMs = Number.NEGATIVE_INFINITY
  return () => {
    if (token !== undefined && clock.now() - readMs < tokenFreshMs) return token
    try {
      token = readFileSync(path, 'utf8').trim()
    } catch (error) {
      if (token === undefined) throw new Error(`Cannot read token ${JSON.stringify(path)}: ${(error as Error).message}`)
    }
    readMs = clock.now()
    return token
  }
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The connection of a process in a pod, with the token of its service account. Undefined outside of a pod. */
export function inClusterConnection(
  clock: Clock,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder = accountFolder,
): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment
  if (!host || !port) return undefined
  return {
    server: `https://${urlHostOf(host)}:${port}`,
    certificateAuthority: readFileSync(join(folder, 'ca.crt'), 'utf8'),
    token: fileToken(join(folder, 'token'), clock),
    namespace: readFileSync(join(folder, 'namespace'), 'utf8').trim(),
  }
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** `name-data` in base64, or the file that `name` names. */
function dataOf({ value, folder }: Named<Fields>, name: string): string | undefined {
  const data = textOf(value, `${name}-data`)
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
  const path = textOf(value, name)
  return path === undefined ? undefined : readFileSync(resolve(folder, path), 'utf8')
}
