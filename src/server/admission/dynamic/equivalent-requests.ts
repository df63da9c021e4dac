// matchPolicy Equivalent: a rule that names another version of the requested resource applies too, and sees the object in that version.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/generic.Webhook.ShouldCallHook
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/matching.matchesResourceRules
// Kubernetes: k8s.io/apimachinery/pkg/runtime.EquivalentResourceRegistry
// Kubernetes: k8s.io/apiserver/pkg/admission.ConvertToGVK
import type { Kind } from '../../../api/machinery/kind.ts'
import { apiVersionOf } from '../../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../../api/types.ts'
import type { AdmissionAttributes } from './attributes.ts'
import { matchesRule, type Rule } from './matching.ts'

/** The other versions in which the objects of the kind are served. */
export type FindEquivalents = (kind: Kind) => readonly Kind[]

/**
 * The version in which a webhook or policy with these rules sees the object: the requested one if a rule matches it, otherwise the first
 * equivalent version that a rule matches. Undefined: no rule matches.
 */
export function kindSeenBy(
  rules: readonly Rule[] | undefined,
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  equivalents: FindEquivalents,
): Kind | undefined {
  if (rules === undefined) return undefined
  if (rules.some((rule) => matchesRule(rule, attributes))) return attributes.resource
  if (matchPolicy === 'Exact') return undefined
  return equivalents(attributes.resource).find((one) => rules.some((rule) => matchesRule(rule, { ...attributes, resource: one })))
}

/** The same request in another version. Rejects with a StatusError if the conversion webhook fails. */
export async function requestFor(kind: Kind, attributes: AdmissionAttributes): Promise<AdmissionAttributes> {
  const { resource, object, oldObject } = attributes
  if (kind === resource) return attributes
  // The object of a subresource, such as a Scale, is the same in all versions.
  const isWhole = attributes.kind.kind === resource.kind && attributes.kind.group === resource.group
  return {
    ...attributes,
    request: { resource, kind: attributes.kind },
    resource: kind,
    ...(isWhole && {
      kind,
      object: object && (await convertObject(object, resource, kind)),
      oldObject: oldObject && (await convertObject(oldObject, resource, kind)),
    }),
  }
}

/** Converts an object that was changed in an equivalent version back to the requested version. */
export async function inRequestedVersion(attributes: AdmissionAttributes, changed: object): Promise<object> {
  const { request, resource, kind } = attributes
  return request === undefined || kind !== resource ? changed : convertObject(changed as KubernetesObject, resource, request.resource)
}

async function convertObject(object: KubernetesObject, from: Kind, to: Kind): Promise<KubernetesObject> {
  const { conversion } = from
  if (conversion !== undefined) {
    const [converted] = await conversion.convert([{ ...object, kind: from.kind, apiVersion: apiVersionOf(from) }], to)
    return converted!
  }
  const stored = from.storedForm?.toStored(object) ?? object
  return { ...(to.storedForm?.fromStored(stored) ?? stored), kind: to.kind, apiVersion: apiVersionOf(to) }
}
