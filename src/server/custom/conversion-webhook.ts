// Calls the conversion webhook of a CustomResourceDefinition.
import { randomUUID } from 'node:crypto'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { failure, type StatusError } from '../../api/machinery/status-error.ts'
import type { WebhookConversion } from '../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { post } from '../webhooks/post.ts'
import { addressOf, type ServiceReader } from '../webhooks/webhook-address.ts'

const timeoutSeconds = 30

interface ConversionReview {
  readonly kind?: string
  readonly apiVersion?: string
  readonly response?: {
    readonly uid?: string
    readonly convertedObjects?: readonly KubernetesObject[] | null
    readonly result?: { readonly status?: string; readonly message?: string }
  } | null
}

/** The objects in the wanted version, in the same order. Rejects with a StatusError. */
export async function convertByWebhook(
  { clientConfig = {}, conversionReviewVersions }: WebhookConversion,
  objects: readonly KubernetesObject[],
  to: Kind,
  services: ServiceReader,
): Promise<readonly KubernetesObject[]> {
  const desiredAPIVersion = apiVersionOf(to)
  const [first] = objects
  const about = `conversion webhook for ${first?.apiVersion}, Kind=${first?.kind}`
  const refuse = (why: string): StatusError => failure(500, '', `${about} ${why}`)
  const version = conversionReviewVersions.find((one) => one === 'v1' || one === 'v1beta1')
  if (version === undefined) throw failure(500, '', 'no supported conversion review versions')
  const uid = randomUUID()
  const apiVersion = `apiextensions.k8s.io/${version}`
  let review: ConversionReview
  try {
    const body = JSON.stringify({ kind: 'ConversionReview', apiVersion, request: { uid, desiredAPIVersion, objects }, response: null })
    const address = addressOf(clientConfig, services, timeoutSeconds)
    const text = await post({ address, caBundle: clientConfig.caBundle, timeoutSeconds, body, userAgent: 'kube-apiserver-admission' })
    review = JSON.parse(text) as ConversionReview
  } catch (error) {
    throw refuse(`failed: ${(error as Error).message.replace(/^failed to call webhook: /, '')}`)
  }
  const { response } = review
  if (version === 'v1' && (review.kind !== 'ConversionReview' || review.apiVersion !== apiVersion))
    throw refuse(`failed: expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${review.apiVersion}, Kind=${review.kind}`)
  if (response === undefined || response === null) throw refuse('failed: no response provided')
  if (version === 'v1' && response.uid !== uid)
    throw refuse(`failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`)
  const { status = '', message } = response.result ?? {}
  if (status !== 'Success') throw refuse(`failed: ${message || `response.result.status was '${status}', not 'Success'`}`)
  const converted = response.convertedObjects ?? []
  if (converted.length !== objects.length) throw refuse(`returned ${converted.length} objects, expected ${objects.length}`)
  return objects.map((original, index) => {
    const made: KubernetesObject = converted[index] ?? {}
    const problem = problemOf(original, made, desiredAPIVersion)
    if (problem !== undefined) throw refuse(`returned invalid converted object at index ${index}: ${problem}`)
    return { ...made, metadata: metadataOf(original, made) }
  })
}

function problemOf(original: KubernetesObject, made: KubernetesObject, apiVersion: string): string | undefined {
  if (made.apiVersion !== apiVersion) return `invalid groupVersion (expected ${apiVersion}, received ${made.apiVersion ?? ''})`
  if (made.kind !== original.kind) return `invalid kind (expected ${original.kind}, received ${made.kind ?? ''})`
  for (const [field, title] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before = '', after = ''] = [original.metadata?.[field], made.metadata?.[field]]
    if (before !== after) return `must have the same ${title}: ${before} != ${after}`
  }
  return undefined
}

/** A webhook may change labels and annotations only. */
function metadataOf({ metadata }: KubernetesObject, made: KubernetesObject): KubernetesObject['metadata'] & object {
  const { labels: _, annotations: __, ...rest } = metadata ?? {}
  const { labels, annotations } = made.metadata ?? {}
  return { ...rest, ...(labels && { labels }), ...(annotations && { annotations }) }
}
