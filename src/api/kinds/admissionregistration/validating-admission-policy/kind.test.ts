// The messages are those of kube-apiserver v1.37.1.
import { expect, it } from 'vitest'
import { fieldErrorMessage } from '../../../machinery/field-error.ts'
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { validatePolicyStatusUpdate, validateValidatingAdmissionPolicy, validatingAdmissionPolicies } from './kind.ts'

const spec = {
  matchConstraints: { resourceRules: [{ operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }] },
  validations: [{ expression: 'true' }],
}
const policy: Subject = {
  type: 'admissionregistration.ValidatingAdmissionPolicy',
  strategy: validatingAdmissionPolicies.strategy,
  base: { metadata: { name: 'p' }, spec },
}
creates(validateValidatingAdmissionPolicy, policy, [
  ['a good one', {}, []],
  [
    'no parts',
    { spec: { matchConstraints: undefined, validations: undefined } },
    [
      'spec.matchConstraints: Required value',
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ],
  ],
  ['no rules', { spec: { matchConstraints: { resourceRules: undefined } } }, ['spec.matchConstraints.resourceRules: Required value']],
  [
    'unknown words',
    { spec: { failurePolicy: 'Retry', validations: [{ expression: 'true', reason: 'Because', message: ' ' }] } },
    [
      'spec.failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"',
      'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
      'spec.validations[0].reason: Unsupported value: "Because": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
  ],
  [
    'wrong parameters and variables',
    { spec: { paramKind: { apiVersion: 'a/b/c', kind: '' }, variables: [{ name: 'a-b', expression: '' }] } },
    [
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      'spec.paramKind.kind: Required value',
      'spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier',
      'spec.variables[0].expression: Required value: expression is not specified',
    ],
  ],
])

// The messages are those of kube-apiserver v1.37.1.
it('requires warnings with a place, and conditions in full', () => {
  const status = {
    typeChecking: { expressionWarnings: [{ warning: '', fieldRef: '' }] },
    conditions: [{ type: 'A', status: 'True', reason: 'B' }],
  }
  expect(
    validatePolicyStatusUpdate({ status } as unknown as Parameters<typeof validatePolicyStatusUpdate>[0]).map(fieldErrorMessage),
  ).toEqual([
    'status.typeChecking.expressionWarnings[0].warning: Required value',
    'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
    'status.conditions[0].lastTransitionTime: Required value',
  ])
})
