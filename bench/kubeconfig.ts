// Where a kubeconfig's current context points, and how to get in: by token or client certificate.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { parse } from 'yaml'

export interface Target {
  readonly tls: ConnectionOptions
  /** For the Host header. */
  readonly authority: string
  readonly token: string | undefined
  /** What stands before /api. */
  readonly basePath: string
}

type Fields = Readonly<Record<string, string | undefined>>

interface Kubeconfig {
  readonly 'current-context': string
  readonly clusters: readonly { readonly name: string; readonly cluster: Fields }[]
  readonly contexts: readonly { readonly name: string; readonly context: Fields }[]
  readonly users: readonly { readonly name: string; readonly user: Fields }[]
}

export function readTarget(file: string): Target {
  const config = parse(readFileSync(file, 'utf8')) as Kubeconfig
  const named = <T extends { readonly name: string }>(list: readonly T[], name: string | undefined): T => {
    const found = list.find((one) => one.name === name)
    if (found === undefined) throw new Error(`Cannot use kubeconfig "${file}": it has no "${name}"`)
    return found
  }
  const { context } = named(config.contexts, config['current-context'])
  const { cluster } = named(config.clusters, context['cluster'])
  const { user } = named(config.users, context['user'])
  const data = (fields: Fields, field: string) => {
    const inline = fields[`${field}-data`]
    if (inline !== undefined) return Buffer.from(inline, 'base64')
    const path = fields[field]
    return path === undefined ? undefined : readFileSync(resolve(dirname(file), path))
  }
  const url = new URL(cluster['server'] ?? '')
  if (url.protocol !== 'https:') throw new Error(`Cannot use kubeconfig "${file}": "${url.href}" is no https address`)
  const ca = data(cluster, 'certificate-authority')
  const cert = data(user, 'client-certificate')
  const key = data(user, 'client-key')
  const tokenFile = user['tokenFile']
  const token = user['token'] ?? (tokenFile === undefined ? undefined : readFileSync(tokenFile, 'utf8').trim())
  if (token === undefined && cert === undefined)
    throw new Error(`Cannot use kubeconfig "${file}": it has neither a token nor a client certificate`)
  const serverName = cluster['tls-server-name']
  return {
    tls: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || 443),
      rejectUnauthorized: String(cluster['insecure-skip-tls-verify']) !== 'true',
      ALPNProtocols: ['http/1.1'],
      ...(ca !== undefined && { ca }),
      // One way in is enough, and a token makes the handshake shorter.
      ...(token === undefined && { cert, key }),
      ...(serverName !== undefined && { servername: serverName }),
    },
    authority: url.host,
    token,
    basePath: url.pathname.replace(/\/$/, ''),
  }
}
