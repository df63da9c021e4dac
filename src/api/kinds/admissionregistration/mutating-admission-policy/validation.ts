// Kubernetes: pkg/apis/admissionregistration/validation.ValidateMutatingAdmissionPolicy, validateMutatingAdmissionPolicySpec
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutation
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { addMutatedOperations, addUnsupported, validatePolicy } from '../validating-admission-policy/policy-validation.ts'

const patchTypes = ['ApplyConfiguration', 'JSONPatch']

export function validateMutatingAdmissionPolicy({ spec = {} }: MutatingAdmissionPolicy): FieldError[] {
  const errors = validatePolicy(spec)
  addMutatedOperations(errors, spec.matchConstraints, 'spec.matchConstraints')
  if (!spec.mutations?.length) errors.push(required('spec.mutations', 'mutations must contain at least one item'))
  for (const [index, mutation] of (spec.mutations ?? []).entries()) addMutationErrors(errors, mutation, `spec.mutations[${index}]`)
  const { reinvocationPolicy = '' } = spec
  if (reinvocationPolicy === '') errors.push(required('spec.reinvocationPolicy', ''))
  else addUnsupported(errors, reinvocationPolicy, ['IfNeeded', 'Never'], 'spec.reinvocationPolicy')
  return errors
}

type Mutation = NonNullable<NonNullable<MutatingAdmissionPolicy['spec']>['mutations']>[number]

function addMutationErrors(errors: FieldError[], mutation: Mutation, path: string): void {
  const { patchType = '' } = mutation
  if (patchType === '') errors.push(required(`${path}.patchType`, ''))
  else addUnsupported(errors, patchType, patchTypes, `${path}.patchType`)
  if (!patchTypes.includes(patchType)) return
  const [own, other] =
    patchType === 'JSONPatch' ? (['jsonPatch', 'applyConfiguration'] as const) : (['applyConfiguration', 'jsonPatch'] as const)
  const expression = mutation[own]?.expression ?? ''
  if (mutation[own] === undefined) errors.push(required(`${path}.${own}`, `must be specified when patchType is ${patchType}`))
  else if (expression.trim() === '') errors.push(required(`${path}.${own}.expression`, ''))
  if (mutation[other] !== undefined)
    errors.push(invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`))
}
