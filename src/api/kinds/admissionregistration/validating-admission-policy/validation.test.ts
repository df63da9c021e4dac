// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { validatingAdmissionPolicies } from './kind.ts'
import { validateValidatingAdmissionPolicy } from './validation.ts'

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
