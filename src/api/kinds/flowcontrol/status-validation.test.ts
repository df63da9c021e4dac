// The messages are those of kube-apiserver v1.37.1.
import { expect, it } from 'vitest'
import { fieldErrorMessage } from '../../machinery/field-error.ts'
import { validateFlowControlStatus } from './status-validation.ts'

it('requires types of conditions, each once', () => {
  const conditions = [{}, {}, { type: 'a' }]
  expect(validateFlowControlStatus({ status: { conditions } }).map(fieldErrorMessage)).toEqual([
    'status.conditions[0].type: Required value',
    'status.conditions[1].type: Duplicate value: ""',
    'status.conditions[1].type: Required value',
  ])
})
