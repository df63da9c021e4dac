// Calls a webhook with an AdmissionReview.
import { randomUUID } from 'node:crypto'
import type { Status } from '../../../api/types.ts'
import { post } from '../../webhooks/post.ts'
import type { WebhookAddress } from '../../webhooks/webhook-address.ts'

export interface ReviewResponse {
  readonly allowed: boolean
  readonly status?: Status
  /** A JSON patch. */
  readonly patch?: unknown
  readonly warnings?: readonly string[]
}

interface WebhookCall {
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

/** Rejects with an Error that says why the webhook could not be called, or gave no valid response. */
export async function callWebhook(call: WebhookCall): Promise<ReviewResponse> {
  const version = call.reviewVersions.find((one) => one === 'v1' || one === 'v1beta1')
  if (version === undefined) throw new Error('webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const uid = randomUUID()
  const apiVersion = `admission.k8s.io/${version}`
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion, request: { uid, ...call.request } })
  const { address, caBundle, timeoutSeconds } = call
  const text = await post({ address, caBundle, timeoutSeconds, body, userAgent: 'kube-apiserver-admission' })
  return readReview(text, uid, apiVersion, call.isMutating)
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
