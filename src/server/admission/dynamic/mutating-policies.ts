// MutatingAdmissionPolicies.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/mutating.dispatcher.dispatchInvocations, dispatcher.dispatchOne
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch.jsonPatcher.Patch, applyConfigPatcher.Patch
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch.ApplyStructuredMergeDiff
import { typeProblem } from '../../../api/machinery/managed-fields/check-typed.ts'
import { mergeTyped } from '../../../api/machinery/managed-fields/merge-typed.ts'
import { shapeOfKind } from '../../../api/machinery/managed-fields/shape.ts'
import { applyJsonPatch } from '../../../api/machinery/patch/json-patch.ts'
import { failure, type StatusError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, MutatingAdmissionPolicy } from '../../../api/types.ts'
import { type AdmissionAttributes, shownName, withKind } from './attributes.ts'
import type { ConfigurationReader } from './configuration-reader.ts'
import { inRequestedVersion, requestFor } from './equivalent-requests.ts'
import { bindingApplies, evaluatePolicy, kindSeenByPolicy, meetsConditions, type PolicyBinding, PolicyError, paramsOf } from './policies.ts'

/** The changed object; undefined when the policy changed nothing. Throws a StatusError when it fails. */
export async function mutateByPolicy(
  policy: MutatingAdmissionPolicy,
  bindings: readonly PolicyBinding[],
  requested: AdmissionAttributes,
  reader: ConfigurationReader,
): Promise<object | undefined> {
  const attributes = await requestFor(kindSeenByPolicy(policy, requested, reader)!, requested)
  let changed: object | undefined
  for (const binding of bindings) {
    if (!bindingApplies(binding, requested, reader)) continue
    try {
      for (const params of paramsOf(policy, binding, attributes, reader)) {
        const now = changed === undefined ? attributes : { ...attributes, object: changed as KubernetesObject }
        changed = (await mutate(policy, now, params, reader)) ?? changed
      }
    } catch (error) {
      if (policy.spec?.failurePolicy === 'Ignore') continue
      const message = `policy '${policy.metadata?.name}' with binding '${binding.metadata?.name}' denied request: ${(error as Error).message}`
      throw refusal(attributes, message)
    }
  }
  return changed && inRequestedVersion(attributes, changed)
}

function refusal(attributes: AdmissionAttributes, message: string): StatusError {
  const { group, plural } = attributes.resource
  return failure(403, 'Invalid', message, { name: shownName(attributes), ...(group && { group }), kind: plural, causes: [{ message }] })
}

async function mutate(
  policy: MutatingAdmissionPolicy,
  attributes: AdmissionAttributes,
  params: KubernetesObject | null | undefined,
  reader: ConfigurationReader,
): Promise<object | undefined> {
  const first = await evaluatePolicy(policy, attributes, params, reader)
  if (!meetsConditions(policy, first)) return undefined
  const { StructValue, CelList, toJson } = await reader.expressions()
  let object = withKind(attributes, attributes.object)
  if (object === null) return undefined
  for (const { patchType, applyConfiguration, jsonPatch } of policy.spec?.mutations ?? []) {
    // Each mutation sees the result of the one before.
    const { evaluate } = await evaluatePolicy(policy, { ...attributes, object: object as KubernetesObject }, params, reader)
    if (patchType === 'ApplyConfiguration') {
      const value = evaluate(applyConfiguration?.expression ?? '')
      if (!(value instanceof StructValue)) throw new PolicyError('must evaluate to Object')
      requireTypeNames(value, 'Object', StructValue, CelList)
      object = merge(attributes, object, toJson(value) as object)
    } else {
      const patches = toJson(evaluate(jsonPatch?.expression ?? '')) as readonly object[]
      object = applyJsonPatch(object as Record<string, unknown>, patches) as object
    }
  }
  return object
}

function merge({ resource }: AdmissionAttributes, object: object, applied: object): object {
  const shape = shapeOfKind(resource.type)
  const problem = typeProblem(shape, applied)
  if (problem !== undefined) throw new PolicyError(problem)
  return mergeTyped(shape, object, applied) as object
}

interface NamedStruct {
  readonly typeName: string
  entries(): Iterable<readonly [unknown, unknown]>
}

type Class<T> = new (...args: never[]) => T

/** The name of a type is the path of the field: `Object.spec.template`. The items of a list have the name of the list. */
function requireTypeNames(value: unknown, path: string, struct: Class<NamedStruct>, list: Class<Iterable<unknown>>): void {
  if (value instanceof list) for (const item of value) requireTypeNames(item, path, struct, list)
  if (!(value instanceof struct)) return
  if (value.typeName !== path)
    throw new PolicyError(
      `type mismatch: unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
    )
  for (const [name, field] of value.entries()) requireTypeNames(field, `${path}.${String(name)}`, struct, list)
}
