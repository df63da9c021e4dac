// Exec credential plugins of kubeconfig files: the program is run with the same protocol as kubectl, and again when its
// credential expires. It runs with the rights of this process, as it does under kubectl.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { type Clock, parseTime } from '../base/clock.ts'
import type { Connection } from './connection.ts'

type Fields = Readonly<Record<string, unknown>>

interface ExecCluster {
  readonly server: string
  /** PEM. */
  readonly certificateAuthority?: string
  readonly tlsServerName?: string
  readonly skipTlsVerify?: boolean
}

interface Credential {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
  readonly expirationTimestamp?: string
}

/** Renewed this long before it expires: a request takes time. */
const renewAheadMs = 10_000

/** Throws when the program fails or its output is invalid. A certificate is not renewed while the connection exists. */
export function execCredential(exec: Fields, folder: string, cluster: ExecCluster, clock: Clock): Partial<Connection> {
  let credential = runProgram(exec, folder, cluster)
  const isExpired = () => {
    const untilMs = parseTime(credential.expirationTimestamp ?? '')
    return untilMs - renewAheadMs <= clock.now()
  }
  const { token, clientCertificateData, clientKeyData } = credential
  return {
    ...(clientCertificateData !== undefined && { clientCertificate: clientCertificateData }),
    ...(clientKeyData !== undefined && { clientKey: clientKeyData }),
    ...(token !== undefined && {
      token: () => {
        if (isExpired()) credential = runProgram(exec, folder, cluster)
        return credential.token ?? token
      },
    }),
  }
}

function runProgram(exec: Fields, folder: string, cluster: ExecCluster): Credential {
  const named = String(exec['command'] ?? '')
  // A name is looked up in PATH; a path is relative to the kubeconfig file.
  const command = /[\\/]/.test(named) ? resolve(folder, named) : named
  const fail = (why: string) => new Error(`Cannot log in with ${JSON.stringify(named)}: ${why}`)
  const hint = exec['installHint'] ? ` (${String(exec['installHint']).trim().split('\n')[0]})` : ''
  const isInteractive = exec['interactiveMode'] !== 'Never' && process.stdin.isTTY === true
  if (exec['interactiveMode'] === 'Always' && !isInteractive) throw fail('it needs a terminal (interactiveMode: Always), and there is none')
  const { status, stdout, error, signal } = spawnSync(command, listOf(exec['args']).map(String), {
    encoding: 'utf8',
    env: { ...process.env, ...environmentOf(exec), KUBERNETES_EXEC_INFO: JSON.stringify(requestOf(exec, cluster, isInteractive)) },
    stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  })
  if (error !== undefined)
    throw fail(`${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'the program was not found' : error.message}${hint}`)
  if (status !== 0) throw fail(`it exited with ${status ?? signal}`)
  return readAnswer(stdout, fail)
}

function requestOf(exec: Fields, cluster: ExecCluster, interactive: boolean) {
  const { server, certificateAuthority, tlsServerName, skipTlsVerify } = cluster
  const shown = {
    server,
    ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
    ...(skipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(certificateAuthority !== undefined && { 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') }),
  }
  return {
    apiVersion: exec['apiVersion'] ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive, ...(exec['provideClusterInfo'] === true && { cluster: shown }) },
  }
}

function environmentOf(exec: Fields): Record<string, string> {
  const entries = listOf(exec['env']) as { readonly name?: unknown; readonly value?: unknown }[]
  return Object.fromEntries(entries.map(({ name, value }) => [String(name), String(value ?? '')]))
}

function readAnswer(text: string, fail: (why: string) => Error): Credential {
  let answer: { readonly kind?: unknown; readonly status?: Credential }
  try {
    answer = JSON.parse(text) as typeof answer
  } catch {
    throw fail('its output is not JSON')
  }
  if (answer?.kind !== 'ExecCredential' || typeof answer.status !== 'object' || answer.status === null)
    throw fail('its output is not an ExecCredential')
  const { token, clientCertificateData, clientKeyData } = answer.status
  if (token === undefined && (clientCertificateData === undefined || clientKeyData === undefined))
    throw fail('its output has neither a token nor a certificate')
  return answer.status
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
