// matchPolicy Equivalent: a rule that names another version of the requested resource applies too, and sees the object in that version.
import type { Kind } from '../../../api/machinery/kind.ts'
import { apiVersionOf } from '../../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../../api/types.ts'
import type { AdmissionAttributes } from './attributes.ts'
import { matchesRule, type Rule } from './matching.ts'

/** The other kinds of the same objects. */
export type FindEquivalents = (kind: Kind) => readonly Kind[]

/** The request as the first rule that applies sees it. Undefined: no rule applies. */
export function requestSeenBy(
  rules: readonly Rule[] | undefined,
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  equivalents: FindEquivalents,
): AdmissionAttributes | undefined {
  if (rules === undefined) return undefined
  if (rules.some((rule) => matchesRule(rule, attributes))) return attributes
  if (matchPolicy === 'Exact') return undefined
  const kind = equivalents(attributes.resource).find((one) => rules.some((rule) => matchesRule(rule, { ...attributes, resource: one })))
  return kind && inVersion(attributes, kind)
}

/** The same request for another kind of the same objects. */
function inVersion(attributes: AdmissionAttributes, kind: Kind): AdmissionAttributes {
  const { resource, object, oldObject } = attributes
  // An object of another kind, such as a Scale, is the same in all versions.
  const isWhole = attributes.kind.kind === resource.kind && attributes.kind.group === resource.group
  return {
    ...attributes,
    request: { resource, kind: attributes.kind },
    resource: kind,
    ...(isWhole && {
      kind,
      object: object && convertObject(object, resource, kind),
      oldObject: oldObject && convertObject(oldObject, resource, kind),
    }),
  }
}

/** The object that a request in another version has changed, in the version of the request. */
export function inRequestedVersion(attributes: AdmissionAttributes, changed: object): object {
  const { request, resource, kind } = attributes
  return request === undefined || kind !== resource ? changed : convertObject(changed as KubernetesObject, resource, request.resource)
}

function convertObject(object: KubernetesObject, from: Kind, to: Kind): KubernetesObject {
  const stored = from.storedForm?.toStored(object) ?? object
  return { ...(to.storedForm?.fromStored(stored) ?? stored), kind: to.kind, apiVersion: apiVersionOf(to) }
}
