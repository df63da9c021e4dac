// The mutating webhook that adds the pacer's gate to new pods, for API servers without MutatingAdmissionPolicy. Every replica serves it.
// It never refuses a pod: what it cannot read is admitted as it is.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Pod } from '../../api/types.ts'
import type { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { optInValue, wantsGate } from '../../controllers/pacer/plan/opt-in.ts'
import { isGated, pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import { closeServer, guarded, listen, readBody } from './listening.ts'
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
  /** Connections fail until this was called. */
  useCertificates(certificates: WebhookCertificates): void
  stop(): Promise<void>
}

/** The API server sends no larger object. */
const maxBytes = 8 * 1024 * 1024

interface PacerWebhookOptions {
  readonly host: string
  readonly port: number
  readonly optIns: OptIns
}

export async function startPacerWebhook({ host, port, optIns }: PacerWebhookOptions): Promise<PacerWebhook> {
  const server: Server = createServer(
    {},
    guarded((request: IncomingMessage, response: ServerResponse) => answer(request, response, optIns)),
  )
  const explain = ({ message }: Error) =>
    new Error(`Cannot listen on ${host}:${port}: ${message}. Choose another address with --webhook-address.`)
  return {
    port: await listen(server, host, port, explain),
    useCertificates: ({ server: { key, certificate } }) => server.setSecureContext({ key, cert: certificate }),
    stop: () => closeServer(server),
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
  try {
    const text = await readBody(request, maxBytes)
    if (text === undefined) return refuse(413, 'too large\n')
    const review = JSON.parse(text) as AdmissionReview
    const body = JSON.stringify(reviewPod(review, optIns, path === namespacePath ? optInValue : undefined))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  } catch {
    refuse(400, 'not an AdmissionReview\n')
  }
}
