// Calls the conversion webhook of a CustomResourceDefinition.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion.webhookConverter.Convert, createConversionReviewObjects
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion.getConvertedObjectsFromResponse, restoreObjectMeta
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion.validateConvertedObject
import { randomUUID } from 'node:crypto'
import { decode } from '../../api/machinery/decode/decode.ts'
import { fieldErrorMessage } from '../../api/machinery/field-error.ts'
import { joinErrors } from '../../api/machinery/go-text.ts'
import { isJsonObject, type JsonObject } from '../../api/machinery/json-object.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { failure, type StatusError } from '../../api/machinery/status-error.ts'
import type { WebhookConversion } from '../../api/machinery/structural/definition.ts'
import { validateAnnotations, validateLabels } from '../../api/machinery/validation/metadata.ts'
import type { KubernetesObject, Status } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { post } from '../webhooks/post.ts'
import { addressOf, type ServiceReader } from '../webhooks/webhook-address.ts'

const timeoutSeconds = 30

interface ConversionReview {
  readonly kind?: string
  readonly apiVersion?: string
  readonly response?: {
    readonly uid?: string
    readonly convertedObjects?: readonly unknown[]
    readonly result?: Status
  }
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
    review = parseReview(text)
  } catch (error) {
    throw refuse(`failed: ${(error as Error).message.replace(/^failed to call webhook: /, '')}`)
  }
  const { response } = review
  if (version === 'v1' && (review.kind !== 'ConversionReview' || review.apiVersion !== apiVersion))
    throw refuse(`failed: expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${review.apiVersion}, Kind=${review.kind}`)
  if (response === undefined) throw refuse('failed: no response provided')
  if (version === 'v1' && response.uid !== uid)
    throw refuse(`failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`)
  const { status = '', message } = response.result ?? {}
  if (status !== 'Success') throw refuse(`failed: ${message || `response.result.status was '${status}', not 'Success'`}`)
  const converted = response.convertedObjects ?? []
  if (converted.length !== objects.length) throw refuse(`returned ${converted.length} objects, expected ${objects.length}`)
  return objects.map((original, index) => {
    const made = converted[index]
    const problem = isJsonObject(made) ? problemOf(original, made, desiredAPIVersion) : 'it is not an object'
    if (problem !== undefined) throw refuse(`returned invalid converted object at index ${index}: ${problem}`)
    return { ...(made as KubernetesObject), metadata: metadataOf(original, made as KubernetesObject) }
  })
}

/** Throws an Error where a value does not have the type of its field. */
function parseReview(text: string): ConversionReview {
  const review: unknown = JSON.parse(text)
  if (!isJsonObject(review)) throw new Error('the response is not a JSON object')
  const { kind, apiVersion, response } = review
  if (!isTextOrAbsent(kind) || !isTextOrAbsent(apiVersion)) throw new Error('the type of kind or apiVersion is wrong')
  if (response === undefined || response === null) return { ...(kind && { kind }), ...(apiVersion && { apiVersion }) }
  if (!isJsonObject(response)) throw new Error('the type of response is wrong')
  const { uid, convertedObjects, result } = response
  if (!isTextOrAbsent(uid)) throw new Error('the type of response.uid is wrong')
  if (convertedObjects !== undefined && convertedObjects !== null && !Array.isArray(convertedObjects))
    throw new Error('the type of response.convertedObjects is wrong')
  return {
    ...(kind && { kind }),
    ...(apiVersion && { apiVersion }),
    response: {
      ...(uid && { uid }),
      ...(convertedObjects && { convertedObjects: convertedObjects as readonly unknown[] }),
      result: decode<Status>('meta.Status', result).object,
    },
  }
}

const isTextOrAbsent = (value: unknown): value is string | undefined | null =>
  value === undefined || value === null || typeof value === 'string'

/** Kubernetes: apiextensions-apiserver/pkg/apiserver/conversion.validateConvertedObject, restoreObjectMeta */
function problemOf(original: KubernetesObject, made: JsonObject, apiVersion: string): string | undefined {
  const shown = (value: unknown) => (typeof value === 'string' ? value : '')
  if (made['apiVersion'] !== apiVersion) return `invalid groupVersion (expected ${apiVersion}, received ${shown(made['apiVersion'])})`
  if (made['kind'] !== original.kind) return `invalid kind (expected ${original.kind}, received ${shown(made['kind'])})`
  const { metadata } = made
  if (!isJsonObject(metadata))
    return metadata === undefined ? 'missing metadata in converted object' : 'invalid metadata in converted object'
  for (const [field, title] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before = '', after = ''] = [original.metadata?.[field], metadata[field]]
    if (before !== after) return `must have the same ${title}: ${before} != ${shown(after)}`
  }
  return problemOfTexts(original, metadata, 'labels') ?? problemOfTexts(original, metadata, 'annotations')
}

function problemOfTexts(original: KubernetesObject, metadata: JsonObject, field: 'labels' | 'annotations'): string | undefined {
  const made = metadata[field]
  if (made === undefined || made === null) return undefined
  if (!isJsonObject(made)) return `invalid metadata.${field} in converted object`
  const wrong = Object.entries(made).find(([, value]) => typeof value !== 'string')
  if (wrong !== undefined) return `metadata.${field}[${wrong[0]}] must be a string in converted object`
  if (isEqualJson(made, original.metadata?.[field] ?? {})) return undefined
  const texts = made as Record<string, string>
  const errors = field === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation')
  return errors.length === 0 ? undefined : joinErrors(errors.map(fieldErrorMessage))
}

/** A webhook may change labels and annotations only. */
function metadataOf({ metadata }: KubernetesObject, made: KubernetesObject): KubernetesObject['metadata'] & object {
  const { labels: _, annotations: __, ...rest } = metadata ?? {}
  const { labels, annotations } = made.metadata ?? {}
  return { ...rest, ...(labels && { labels }), ...(annotations && { annotations }) }
}
