// POST of a review to a webhook over HTTPS, verified by the bundle of its configuration.
// Kubernetes: k8s.io/apiserver/pkg/util/webhook.ClientManager.HookClient, ErrCallingWebhook.Error
import { X509Certificate } from 'node:crypto'
import { Agent, request } from 'node:https'
import { rootCertificates } from 'node:tls'
import { hostOfUrl, urlHostOf } from '../../base/url.ts'
import { readResponse, refuseUpgrade } from '../http/received-response.ts'
import type { PodServer, WebhookAddress } from './webhook-address.ts'

export interface Post {
  readonly address: WebhookAddress
  /** PEM in base64; without it, the machine's authorities are trusted. */
  readonly caBundle: string | undefined
  readonly timeoutSeconds: number
  readonly userAgent: string
  readonly body: string
}

const maxAgents = 64
const agents = new Map<string, Agent>()

/** Connections are kept, as a webhook is usually called for many requests. */
function agentOf(caBundle: string | undefined, servername: string): Agent {
  const key = `${servername} ${caBundle ?? ''}`
  let agent = agents.get(key)
  if (agent === undefined) {
    const ca = caBundle === undefined || caBundle === '' ? [...rootCertificates] : Buffer.from(caBundle, 'base64').toString()
    // A bundle may have the certificate of the server itself, without its authority.
    agent = new Agent({ keepAlive: true, ca, servername, allowPartialTrustChain: true } as ConstructorParameters<typeof Agent>[0])
    if (agents.size >= maxAgents) forgetOldestAgent()
    agents.set(key, agent)
  }
  return agent
}

/** Calls under way end as usual; only idle connections are closed. */
function forgetOldestAgent(): void {
  const [oldest] = agents
  if (oldest === undefined) return
  const [key, agent] = oldest
  agents.delete(key)
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
}

/** The body of the response. Rejects with an Error that says why the webhook could not be called. */
export function post({ address, caBundle, timeoutSeconds, userAgent, body }: Post): Promise<string> {
  const url = new URL(address.url)
  // Servers redirect a path with empty segments, which envtest configures, and Kubernetes' client cleans.
  url.pathname = url.pathname.replace(/\/{2,}/g, '/')
  url.searchParams.set('timeout', `${timeoutSeconds}s`)
  const shown = `failed to call webhook: Post ${JSON.stringify(url.href)}`
  const path = url.pathname + url.search
  if (address.server !== undefined) return postToPod(address.server, url.hostname, path, body, caBundle, timeoutSeconds, shown)
  const servername = /^[\d.]+$|:/.test(url.hostname) ? '' : url.hostname
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new Error(`${shown}: ${describeConnectionError(error)}`))
    const outgoing = request(
      {
        method: 'POST',
        host: address.host ?? hostOfUrl(url),
        port: address.port ?? (url.port || 443),
        path,
        agent: agentOf(caBundle, servername),
        headers: {
          host: url.host,
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'user-agent': userAgent,
          'content-length': Buffer.byteLength(body),
        },
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      },
      (response) => {
        const code = response.statusCode ?? 0
        const receive = (text: string) => {
          if (code >= 200 && code < 300) resolve(text)
          else reject(new Error(`failed to call webhook: ${statusMessage(text, code)}`))
        }
        readResponse(response).then(receive, fail)
      },
    )
    outgoing.on('error', fail)
    refuseUpgrade(outgoing, fail)
    outgoing.end(body)
  })
}

async function postToPod(
  server: PodServer,
  host: string,
  path: string,
  body: string,
  caBundle: string | undefined,
  timeoutSeconds: number,
  shown: string,
): Promise<string> {
  const problem = certificateProblem(server.certificate, caBundle, host)
  if (problem !== undefined) throw new Error(`${shown}: tls: failed to verify certificate: x509: ${problem}`)
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`${shown}: context deadline exceeded`)))
  })
  const response = await Promise.race([server.post(path, body), timeout])
  if (response.code >= 200 && response.code < 300) return response.body
  throw new Error(`failed to call webhook: ${statusMessage(response.body, response.code)}`)
}

/** What is wrong with the certificate of a server, for a client that trusts the bundle. */
function certificateProblem(certificate: string, caBundle: string | undefined, host: string): string | undefined {
  const unknown = 'certificate signed by unknown authority'
  const trusted = (
    Buffer.from(caBundle ?? '', 'base64')
      .toString()
      .match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  ).map((one) => new X509Certificate(one))
  let own: X509Certificate
  try {
    own = new X509Certificate(certificate)
  } catch {
    return unknown
  }
  if (!trusted.some((one) => one.raw.equals(own.raw) || (own.checkIssued(one) && own.verify(one.publicKey)))) return unknown
  if (own.checkHost(host) !== undefined) return undefined
  const names = (own.subjectAltName ?? '').replaceAll(/(?:DNS|IP Address):/g, '')
  return `certificate is valid for ${names}, not ${host}`
}

function statusMessage(text: string, code: number): string {
  if (code === 404) return 'the server could not find the requested resource'
  if (code === 500) return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
  return text === '' ? `the server responded with the status code ${code}` : text
}

/** As Go words the common failures of a connection. */
export function describeConnectionError(
  error: Error & { readonly code?: string; readonly address?: string; readonly port?: number },
): string {
  // Of a name with several addresses, the first failure counts.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return describeConnectionError(error.errors[0])
  const where = error.address === undefined ? '' : ` ${urlHostOf(error.address)}:${error.port}`
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR') return 'context deadline exceeded'
  if (error.code === 'ECONNREFUSED') return `dial tcp${where}: connect: connection refused`
  if (error.code === 'ECONNRESET') return 'EOF'
  if (error.code === 'ENOTFOUND') return `dial tcp: lookup ${(error as { hostname?: string }).hostname ?? ''}: no such host`
  if (error.code === 'DEPTH_ZERO_SELF_SIGNED_CERT' || error.code?.includes('UNABLE_TO'))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  return error.message
}
