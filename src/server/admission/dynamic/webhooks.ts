// Mutating and validating webhooks.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/mutating.mutatingDispatcher.Dispatch
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/mutating.mutatingDispatcher.callAttrMutatingHook
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/validating.validatingDispatcher.Dispatch, validatingDispatcher.callHook
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/generic.Webhook.ShouldCallHook
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/errors.ToStatusErr, NewDryRunUnsupportedErr
import { compareNames } from '../../../api/machinery/compare-names.ts'
import { applyJsonPatch } from '../../../api/machinery/patch/json-patch.ts'
import { badRequestError, internalError, isStatusError, StatusError } from '../../../api/machinery/status-error.ts'
import type { MutatingWebhookConfiguration, Status, ValidatingWebhookConfiguration } from '../../../api/types.ts'
import { addressOf, isInPods } from '../../webhooks/webhook-address.ts'
import { perRequestBudget } from './admission-budget.ts'
import { type AdmissionAttributes, describeRequest, withKind } from './attributes.ts'
import type { ConfigurationReader } from './configuration-reader.ts'
import { inRequestedVersion, kindSeenBy, requestFor } from './equivalent-requests.ts'
import { matchesSelectors } from './matching.ts'
import { evaluateConditions } from './policies.ts'
import { callWebhook, type ReviewResponse } from './webhook-call.ts'

export type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number]

/** The webhooks of all configurations, in the order in which they are called: by the name of the configuration. */
export function webhooksOf(configurations: readonly (MutatingWebhookConfiguration | ValidatingWebhookConfiguration)[]): Webhook[] {
  return [...configurations].sort(compareNames).flatMap(({ webhooks }) => (webhooks ?? []) as readonly Webhook[])
}

/** Whether the webhook is called, as far as rules and selectors decide. */
export const selectsRequest = (webhook: Webhook, attributes: AdmissionAttributes, reader: ConfigurationReader): boolean =>
  seenBy(webhook, attributes, reader) !== undefined && matchesSelectors(webhook, attributes)

const seenBy = ({ rules, matchPolicy }: Webhook, attributes: AdmissionAttributes, { equivalents }: ConfigurationReader) =>
  kindSeenBy(rules, matchPolicy, attributes, equivalents)

/** Calls all webhooks at once. Throws the StatusError of the first that refuses the request. */
export async function validateByWebhooks(
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  reader: ConfigurationReader,
): Promise<void> {
  const selected = webhooks.filter((one) => selectsRequest(one, attributes, reader))
  const results = await Promise.allSettled(
    selected.map(async (one) => call(one, await requestFor(seenBy(one, attributes, reader)!, attributes), reader, false)),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** The changed object; undefined when the webhook changed nothing. Throws a StatusError when it refuses the request. */
export async function mutateByWebhook(
  webhook: Webhook,
  requested: AdmissionAttributes,
  reader: ConfigurationReader,
): Promise<object | undefined> {
  const attributes = await requestFor(seenBy(webhook, requested, reader)!, requested)
  const response = await call(webhook, attributes, reader, true)
  if (response?.patch === undefined) return undefined
  const object = withKind(attributes, attributes.object)
  if (object === null)
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    )
  try {
    return await inRequestedVersion(attributes, applyJsonPatch(object as Record<string, unknown>, response.patch) as object)
  } catch (error) {
    throw isStatusError(error) ? error : internalError((error as Error).message)
  }
}

async function call(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  reader: ConfigurationReader,
  isMutating: boolean,
): Promise<ReviewResponse | undefined> {
  const { name, failurePolicy, timeoutSeconds = 10, sideEffects, clientConfig, admissionReviewVersions } = webhook
  if (!(await meetsConditions(webhook, attributes, reader))) return undefined
  if (attributes.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw badRequestError(`admission webhook ${JSON.stringify(name)} does not support dry run`)
  let response: ReviewResponse
  try {
    const address = findAddress(webhook, attributes, reader, timeoutSeconds)
    if (address === undefined) return undefined
    const request = {
      ...describeRequest(attributes),
      object: withKind(attributes, attributes.object),
      oldObject: withKind(attributes, attributes.oldObject),
    }
    const { caBundle } = clientConfig
    response = await callWebhook({ address, caBundle, timeoutSeconds, reviewVersions: admissionReviewVersions, request, isMutating })
  } catch (error) {
    if (failurePolicy === 'Ignore') return undefined
    throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${(error as Error).message}`)
  }
  for (const warning of response.warnings ?? []) attributes.warn?.(warning)
  if (!response.allowed) throw denial(name, response.status)
  return response
}

/** Undefined: the server would run in a simulated pod, and such webhooks are ignored here. */
function findAddress({ name, clientConfig }: Webhook, { warn }: AdmissionAttributes, reader: ConfigurationReader, timeoutSeconds: number) {
  try {
    return addressOf(clientConfig, reader.services, timeoutSeconds)
  } catch (error) {
    if (!reader.ignoresSimulated || !isInPods(clientConfig, reader.services)) throw error
    warn?.(`admission webhook ${JSON.stringify(name)} was not called: its server would run in a simulated pod`)
    return undefined
  }
}

/** Another code would not be one of an error. */
const isErrorCode = (code: number) => code >= 400 && code <= 599

function denial(name: string, given: Status | undefined): StatusError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`
  const why = given?.message || given?.reason
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...given,
    status: 'Failure',
    message: why ? `${denied}: ${why}` : `${denied} without explanation`,
    code: isErrorCode(given?.code ?? 0) ? given!.code! : 400,
  })
}

async function meetsConditions(webhook: Webhook, attributes: AdmissionAttributes, reader: ConfigurationReader): Promise<boolean> {
  const conditions = webhook.matchConditions ?? []
  if (conditions.length === 0) return true
  const { compileExpression, createEvaluation } = await reader.expressions()
  const evaluate = createEvaluation(attributes, reader.authorizer, await perRequestBudget())
  const found = evaluateConditions(conditions, (expression) => evaluate(reader.compiled(expression, () => compileExpression(expression))))
  if (typeof found === 'boolean') return found
  if (webhook.failurePolicy === 'Ignore') return false
  const errors = found.map(({ message }) => message).join('; ')
  throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: match conditions failed: ${errors}`)
}
