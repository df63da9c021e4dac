// Calls a webhook with an AdmissionReview.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/request.CreateAdmissionObjects, VerifyAdmissionResponse
// Kubernetes: k8s.io/apiserver/pkg/util/webhook.ClientManager.HookClient
import { randomUUID } from 'node:crypto'
import { decode } from '../../../api/machinery/decode/decode.ts'
import { isJsonObject } from '../../../api/machinery/json-object.ts'
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

/** The fields of a review's response. What has another type is refused, as by Go's decoder. */
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  uid: isText,
  allowed: (value) => typeof value === 'boolean',
  patch: isText,
  patchType: isText,
  auditAnnotations: (value) => isJsonObject(value) && Object.values(value).every(isText),
  warnings: (value) => Array.isArray(value) && value.every(isText),
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function readReview(text: string, uid: string, apiVersion: string, isMutating: boolean): ReviewResponse {
  const { kind, apiVersion: version, response } = parseReview(text)
  if (kind !== undefined && (kind !== 'AdmissionReview' || version !== apiVersion))
    throw new Error(
      `received invalid webhook response: expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${version}, Kind=${kind}`,
    )
  if (response === undefined) throw new Error('webhook response was absent')
  const { allowed, status, patchType, warnings } = response
  if (apiVersion.endsWith('/v1') && response.uid !== uid)
    throw new Error(
      `received invalid webhook response: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`,
    )
  const patch = response.patch === '' ? undefined : response.patch
  if (patch !== undefined && !isMutating) throw new Error('received invalid webhook response: unexpected response.patch')
  if (patch !== undefined && apiVersion.endsWith('/v1') && patchType !== 'JSONPatch')
    throw new Error(`received invalid webhook response: webhook returned response.patch but not response.patchType`)
  return {
    allowed: allowed === true,
    ...(status && { status }),
    ...(warnings && { warnings }),
    ...(patch !== undefined && { patch: JSON.parse(Buffer.from(patch, 'base64').toString()) as unknown }),
  }
}

interface Review {
  readonly kind?: string
  readonly apiVersion?: string
  readonly response?: {
    readonly uid?: string
    readonly allowed?: boolean
    readonly status?: Status
    /** In base64. */
    readonly patch?: string
    readonly patchType?: string
    readonly warnings?: readonly string[]
  }
}

/** Throws an Error where a value does not have the type of its field. */
function parseReview(text: string): Review {
  const refuse = (why: string) => new Error(`failed to call webhook: ${why}`)
  let review: unknown
  try {
    review = JSON.parse(text)
    if (!isJsonObject(review)) throw new Error('the response is not a JSON object')
    const { kind, apiVersion, response } = review
    for (const [name, value] of Object.entries({ kind, apiVersion }))
      if (value !== undefined && !isText(value)) throw new Error(`${name} is not a string`)
    if (response === undefined || response === null) {
      const { response: _, ...rest } = review as Review
      return rest
    }
    if (!isJsonObject(response)) throw new Error('response is not an object')
    // As in Go, a field that is null is absent.
    const given = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null))
    for (const [name, value] of Object.entries(given))
      if (Object.hasOwn(isOfType, name) && !isOfType[name]!(value)) throw new Error(`the type of response.${name} is wrong`)
    const status = given['status'] === undefined ? undefined : decode<Status>('meta.Status', given['status']).object
    return { ...(review as Review), response: { ...given, ...(status && { status }) } }
  } catch (error) {
    throw refuse((error as Error).message)
  }
}
