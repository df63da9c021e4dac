// The webhooks of the pacer, which every replica serves. One adds the pacer's gate to new pods, for API servers without
// MutatingAdmissionPolicy; it never refuses a pod. The other one lets evictions wait until their pods are replaced. What they cannot read is
// admitted as it is.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { KubernetesObject, Pod } from '../../api/types.ts'
import type { EvictionRequest, EvictionReview } from '../../controllers/eviction/review-eviction.ts'
import type { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { optInValue, wantsGate } from '../../controllers/pacer/plan/opt-in.ts'
import { isGated, pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import { closeServer, guarded, listen, readBody } from '../remote/listening.ts'
import type { WebhookCertificates } from './webhook-certificates.ts'

/** For pods of namespaces with the label; their API server selects them. */
export const namespacePath = '/gate/namespace'
/** For the pods of all other namespaces. */
export const workloadPath = '/gate/workload'

/** For evictions. */
export const evictionPath = '/evictions'

interface AdmissionReview<T> {
  readonly apiVersion?: string
  readonly request?: {
    readonly uid?: string
    readonly namespace?: string
    readonly name?: string
    readonly object?: T
    readonly dryRun?: boolean
  }
}

interface Eviction extends KubernetesObject {
  readonly deleteOptions?: { readonly dryRun?: readonly string[]; readonly preconditions?: { readonly uid?: string } }
}

const answerTo = (uid: string, response: object) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: { uid, ...response },
})

/** The answer of the webhook. `ofNamespace` is the label of the pod's namespace. */
export function reviewPod(review: AdmissionReview<Pod>, optIns: OptIns, ofNamespace: string | undefined): object {
  const { uid = '', namespace = '', object: pod } = review.request ?? {}
  const isWanted = pod !== undefined && !isGated(pod) && wantsGate(pod, optIns.settingsFor(namespace, pod), ofNamespace)
  const gate = { name: pacerGate }
  const patch = [
    pod?.spec?.schedulingGates === undefined
      ? { op: 'add', path: '/spec/schedulingGates', value: [gate] }
      : { op: 'add', path: '/spec/schedulingGates/-', value: gate },
  ]
  return answerTo(uid, {
    allowed: true,
    ...(isWanted && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
  })
}

/** The answer to an eviction; `ask` decides. An eviction that cannot be decided passes. */
export async function answerEviction(
  review: AdmissionReview<Eviction>,
  ask: (request: EvictionRequest) => Promise<EvictionReview>,
): Promise<object> {
  const { uid = '', namespace = '', name = '', object, dryRun = false } = review.request ?? {}
  const { dryRun: dryRuns = [], preconditions } = object?.deleteOptions ?? {}
  const found =
    name === ''
      ? undefined
      : await ask({ namespace, name, isDryRun: dryRun || dryRuns.length > 0, ...(preconditions?.uid && { uid: preconditions.uid }) })
  if (found === undefined) return answerTo(uid, { allowed: true })
  const { message, retryAfterSeconds } = found
  return answerTo(uid, {
    allowed: false,
    status: { status: 'Failure', code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } },
  })
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
  /** By path: the answer to a review. */
  readonly reviews: ReadonlyMap<string, (review: never) => object | Promise<object>>
}

/** For new pods. */
export const gateReviews = (optIns: OptIns): PacerWebhookOptions['reviews'] =>
  new Map([
    [namespacePath, (review: AdmissionReview<Pod>) => reviewPod(review, optIns, optInValue)],
    [workloadPath, (review: AdmissionReview<Pod>) => reviewPod(review, optIns, undefined)],
  ])

export async function startPacerWebhook({ host, port, reviews }: PacerWebhookOptions): Promise<PacerWebhook> {
  const server: Server = createServer(
    {},
    guarded((request: IncomingMessage, response: ServerResponse) => answer(request, response, reviews)),
  )
  const explain = ({ message }: Error) =>
    new Error(`Cannot listen on ${host}:${port}: ${message}. Choose another address with --webhook-address.`)
  return {
    port: await listen(server, host, port, explain),
    useCertificates: ({ server: { key, certificate } }) => server.setSecureContext({ key, cert: certificate }),
    stop: () => closeServer(server),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, reviews: PacerWebhookOptions['reviews']): Promise<void> {
  const refuse = (code: number, text: string) => {
    response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(text)
  }
  const review = reviews.get(request.url?.split('?')[0] ?? '')
  if (review === undefined) return refuse(404, 'not found\n')
  if (request.method !== 'POST') return refuse(405, 'method not allowed\n')
  try {
    const text = await readBody(request, maxBytes)
    if (text === undefined) return refuse(413, 'too large\n')
    const body = JSON.stringify(await review(JSON.parse(text) as never))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  } catch {
    refuse(400, 'not an AdmissionReview\n')
  }
}
