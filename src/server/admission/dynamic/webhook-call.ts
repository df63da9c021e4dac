// Calls a webhook: POST of an AdmissionReview over HTTPS, verified by the bundle of the configuration.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { Status } from '../../../api/types.ts'

export interface WebhookAddress {
  /** As messages show it, without a query. */
  readonly url: string
  /** Where to connect, if not to the host of the URL. */
  readonly host?: string
  readonly port?: number
}

export interface ReviewResponse {
  readonly allowed: boolean
  readonly status?: Status
  /** A JSON patch. */
  readonly patch?: unknown
  readonly warnings?: readonly string[]
}

export interface WebhookCall {
  readonly address: WebhookAddress
  /** PEM in base64; without it, the machine's authorities are trusted. */
  readonly caBundle: string | undefined
  readonly timeoutSeconds: number
  readonly reviewVersions: readonly string[]
  /** The request of the review, without its uid. */
  readonly request: object
  /** For a mutating webhook, whose response may have a patch. */
  readonly isMutating: boolean
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
    if (agents.size >= maxAgents) {
      for (const one of agents.values()) one.destroy()
      agents.clear()
    }
    agents.set(key, agent)
  }
  return agent
}

/** Rejects with an Error that says why the webhook could not be called, or gave no valid response. */
export async function callWebhook(call: WebhookCall): Promise<ReviewResponse> {
  const version = call.reviewVersions.find((one) => one === 'v1' || one === 'v1beta1')
  if (version === undefined) throw new Error('webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const uid = randomUUID()
  const apiVersion = `admission.k8s.io/${version}`
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion, request: { uid, ...call.request } })
  const text = await post(call, body)
  return readReview(text, uid, apiVersion, call.isMutating)
}

function post({ address, caBundle, timeoutSeconds }: WebhookCall, body: string): Promise<string> {
  const url = new URL(address.url)
  // Servers redirect a path with empty segments, which envtest configures, and Kubernetes' client cleans.
  url.pathname = url.pathname.replace(/\/{2,}/g, '/')
  url.searchParams.set('timeout', `${timeoutSeconds}s`)
  const shown = `failed to call webhook: Post ${JSON.stringify(url.href)}`
  const servername = /^[\d.]+$|:/.test(url.hostname) ? '' : url.hostname
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        method: 'POST',
        host: address.host ?? url.hostname.replace(/^\[|\]$/g, ''),
        port: address.port ?? (url.port || 443),
        path: url.pathname + url.search,
        agent: agentOf(caBundle, servername),
        headers: {
          host: url.host,
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'user-agent': 'kube-apiserver-admission',
          'content-length': Buffer.byteLength(body),
        },
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', (error) => reject(new Error(`${shown}: ${describe(error)}`)))
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString()
          const code = response.statusCode ?? 0
          if (code >= 200 && code < 300) resolve(text)
          else reject(new Error(`failed to call webhook: ${statusMessage(text, code)}`))
        })
      },
    )
    outgoing.on('error', (error) => reject(new Error(`${shown}: ${describe(error)}`)))
    outgoing.end(body)
  })
}

function statusMessage(text: string, code: number): string {
  if (code === 404) return 'the server could not find the requested resource'
  if (code === 500) return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
  return text === '' ? `the server responded with the status code ${code}` : text
}

/** As Go words the common failures of a connection. */
function describe(error: Error & { readonly code?: string; readonly address?: string; readonly port?: number }): string {
  const where = error.address === undefined ? '' : ` ${error.address.includes(':') ? `[${error.address}]` : error.address}:${error.port}`
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR') return 'context deadline exceeded'
  if (error.code === 'ECONNREFUSED') return `dial tcp${where}: connect: connection refused`
  if (error.code === 'ECONNRESET') return 'EOF'
  if (error.code === 'ENOTFOUND') return `dial tcp: lookup ${(error as { hostname?: string }).hostname ?? ''}: no such host`
  if (error.code === 'DEPTH_ZERO_SELF_SIGNED_CERT' || error.code?.includes('UNABLE_TO'))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  return error.message
}

function readReview(text: string, uid: string, apiVersion: string, isMutating: boolean): ReviewResponse {
  let review: { readonly kind?: string; readonly apiVersion?: string; readonly response?: Record<string, unknown> }
  try {
    review = JSON.parse(text) as typeof review
  } catch (error) {
    throw new Error(`failed to call webhook: ${(error as Error).message}`)
  }
  const { response } = review ?? {}
  if (review?.kind !== undefined && (review.kind !== 'AdmissionReview' || review.apiVersion !== apiVersion))
    throw new Error(
      `received invalid webhook response: expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${review.apiVersion}, Kind=${review.kind}`,
    )
  if (response === undefined || response === null) throw new Error('webhook response was absent')
  if (apiVersion.endsWith('/v1') && response['uid'] !== uid)
    throw new Error(
      `received invalid webhook response: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`,
    )
  const patch = typeof response['patch'] === 'string' && response['patch'] !== '' ? response['patch'] : undefined
  if (patch !== undefined && !isMutating) throw new Error('received invalid webhook response: unexpected response.patch')
  if (patch !== undefined && apiVersion.endsWith('/v1') && response['patchType'] !== 'JSONPatch')
    throw new Error(`received invalid webhook response: webhook returned response.patch but not response.patchType`)
  return {
    allowed: response['allowed'] === true,
    ...(response['status'] !== undefined && { status: response['status'] as Status }),
    ...(Array.isArray(response['warnings']) && { warnings: response['warnings'].map(String) }),
    ...(patch !== undefined && { patch: JSON.parse(Buffer.from(patch, 'base64').toString()) as unknown }),
  }
}
