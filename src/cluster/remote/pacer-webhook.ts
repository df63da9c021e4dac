// The mutating webhook that adds the pacer's gate to new pods, for API servers without MutatingAdmissionPolicy. Every replica serves it.
// It never refuses a pod: what it cannot read is admitted as it is.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pod } from '../../api/types.ts'
import type { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { optInValue, wantsGate } from '../../controllers/pacer/plan/opt-in.ts'
import { isGated, pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import type { WebhookCertificates } from './webhook-certificates.ts'

/** For pods of namespaces with the label; their API server selects them. */
export const namespacePath = '/gate/namespace'
/** For the pods of all other namespaces. */
export const workloadPath = '/gate/workload'

interface AdmissionReview {
  readonly apiVersion?: string
  readonly request?: { readonly uid?: string; readonly namespace?: string; readonly object?: Pod }
}

/** The answer of the webhook. `ofNamespace` is the label of the pod's namespace. */
export function reviewPod(review: AdmissionReview, optIns: OptIns, ofNamespace: string | undefined): object {
  const { uid = '', namespace = '', object: pod } = review.request ?? {}
  const isWanted = pod !== undefined && !isGated(pod) && wantsGate(pod, optIns.settingsFor(namespace, pod), ofNamespace)
  const gate = { name: pacerGate }
  const patch = [
    pod?.spec?.schedulingGates === undefined
      ? { op: 'add', path: '/spec/schedulingGates', value: [gate] }
      : { op: 'add', path: '/spec/schedulingGates/-', value: gate },
  ]
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed: true,
      ...(isWanted && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
    },
  }
}

interface PacerWebhook {
  readonly port: number
  stop(): Promise<void>
}

/** The API server sends no larger object. */
const maxBytes = 8 * 1024 * 1024

interface PacerWebhookOptions {
  readonly host: string
  readonly port: number
  readonly optIns: OptIns
}

/** Connections fail until `useCertificates` was called. */
export async function startPacerWebhook({
  host,
  port,
  optIns,
}: PacerWebhookOptions): Promise<PacerWebhook & { useCertificates(certificates: WebhookCertificates): void }> {
  const server: Server = createServer({}, (request, response) => void answer(request, response, optIns))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`Cannot listen on ${host}:${port}: ${error.message}. Choose another address with --webhook-address.`)),
    )
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    useCertificates: ({ server: { key, certificate } }) => server.setSecureContext({ key, cert: certificate }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, optIns: OptIns): Promise<void> {
  const refuse = (code: number, text: string) => {
    response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(text)
  }
  const path = request.url?.split('?')[0]
  if (path !== namespacePath && path !== workloadPath) return refuse(404, 'not found\n')
  if (request.method !== 'POST') return refuse(405, 'method not allowed\n')
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length
      if (size > maxBytes) return refuse(413, 'too large\n')
      chunks.push(chunk as Buffer)
    }
    const review = JSON.parse(Buffer.concat(chunks).toString()) as AdmissionReview
    const body = JSON.stringify(reviewPod(review, optIns, path === namespacePath ? optInValue : undefined))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  } catch {
    refuse(400, 'not an AdmissionReview\n')
  }
}
