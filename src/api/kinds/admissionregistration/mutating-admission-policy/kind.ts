// Kubernetes: pkg/registry/admissionregistration/mutatingadmissionpolicy.mutatingAdmissionPolicyStrategy.*
// Kubernetes: pkg/printers/internalversion.printMutatingAdmissionPolicy
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_MutatingAdmissionPolicySpec
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addEnumErrors, enumOf } from '../../../machinery/validation/enums.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { policyColumns } from '../validating-admission-policy/kind.ts'
import { defaultPolicy } from '../validating-admission-policy/match-resources.ts'
import { addMutatedOperations, validatePolicy } from '../validating-admission-policy/policy-validation.ts'

export const mutatingAdmissionPolicies: Kind<MutatingAdmissionPolicy> = {
  ...resource('admissionregistration.MutatingAdmissionPolicy'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (policy) => defaultPolicy('admissionregistration.MutatingAdmissionPolicySpec', policy),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateMutatingAdmissionPolicy,
  },
  columns: policyColumns('Mutations', 'How many mutations it has.', ({ spec }) => (spec?.mutations ?? []).length),
}

// Kubernetes: pkg/apis/admissionregistration/validation.ValidateMutatingAdmissionPolicy, validateMutatingAdmissionPolicySpec
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutation
export function validateMutatingAdmissionPolicy({ spec = {} }: MutatingAdmissionPolicy): FieldError[] {
  const errors = validatePolicy(spec)
  addMutatedOperations(errors, spec.matchConstraints, 'spec.matchConstraints')
  if (!spec.mutations?.length) errors.push(required('spec.mutations', 'mutations must contain at least one item'))
  for (const [index, mutation] of (spec.mutations ?? []).entries()) addMutationErrors(errors, mutation, `spec.mutations[${index}]`)
  const reinvocation = 'spec.reinvocationPolicy'
  addEnumErrors(errors, spec.reinvocationPolicy, 'admissionregistration.MutatingAdmissionPolicySpec.reinvocationPolicy', () => reinvocation)
  return errors
}

type Mutation = NonNullable<NonNullable<MutatingAdmissionPolicy['spec']>['mutations']>[number]

function addMutationErrors(errors: FieldError[], mutation: Mutation, path: string): void {
  const { patchType = '' } = mutation
  addEnumErrors(errors, patchType, 'admissionregistration.Mutation.patchType', () => `${path}.patchType`)
  if (!enumOf('admissionregistration.Mutation.patchType').includes(patchType)) return
  const [own, other] =
    patchType === 'JSONPatch' ? (['jsonPatch', 'applyConfiguration'] as const) : (['applyConfiguration', 'jsonPatch'] as const)
  const expression = mutation[own]?.expression ?? ''
  if (mutation[own] === undefined) errors.push(required(`${path}.${own}`, `must be specified when patchType is ${patchType}`))
  else if (expression.trim() === '') errors.push(required(`${path}.${own}.expression`, ''))
  if (mutation[other] !== undefined)
    errors.push(invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`))
}
