// The messages are those of kube-apiserver v1.37.1.
import { expect, it } from 'vitest'
import { fieldErrorMessage } from '../../../machinery/field-error.ts'
import { validatePolicyStatusUpdate } from './status-validation.ts'

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
