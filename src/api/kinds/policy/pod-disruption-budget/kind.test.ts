import { describe, expect, it } from 'vitest'
import { creates, make, run, type Subject, updates } from '../../../testing/judge-rows.ts'
import {
  podDisruptionBudgets,
  validatePodDisruptionBudget,
  validatePodDisruptionBudgetStatusUpdate,
  validatePodDisruptionBudgetUpdate,
} from './kind.ts'

const notNegative = 'must be greater than or equal to 0'
const metadata = { name: 'a', namespace: 'default' }
const _key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

const budget: Subject = {
  type: 'policy.PodDisruptionBudget',
  strategy: podDisruptionBudgets.strategy,
  base: { metadata, spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
}
creates(validatePodDisruptionBudget, budget, [
  ['a plain one', {}, []],
  [
    'both limits',
    { spec: { maxUnavailable: '50%' } },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":"50%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  ['a negative limit', { spec: { minAvailable: -1 } }, [`spec.minAvailable: Invalid value: -1: ${notNegative}`]],
  ['more than all', { spec: { minAvailable: '101%' } }, ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%']],
  [
    'an unknown policy',
    { spec: { unhealthyPodEvictionPolicy: 'Never' } },
    ['spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"'],
  ],
])
const odd = { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] } } }
updates(validatePodDisruptionBudgetUpdate, budget, [
  ['a stored selector that would be refused today', odd, odd, []],
  ['a limit', { spec: { minAvailable: 2 } }, {}, []],
])
describe('validatePodDisruptionBudgetStatusUpdate()', () => {
  it('requires conditions in full', () => {
    const condition = { type: 'A', status: 'Perhaps', observedGeneration: -1, reason: '9' }
    const next = { ...make(budget, {}), status: { expectedPods: -1, conditions: [condition, { type: 'A', status: 'True' }] } }
    expect(run(validatePodDisruptionBudgetStatusUpdate, next, next)).toEqual([
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
      'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      'status.conditions[0].lastTransitionTime: Required value',
      expect.stringContaining('status.conditions[0].reason: Invalid value: "9": a condition reason must start with'),
      'status.conditions[1].type: Duplicate value: "A"',
      'status.conditions[1].lastTransitionTime: Required value',
      'status.conditions[1].reason: Required value',
      `status.expectedPods: Invalid value: -1: ${notNegative}`,
    ])
  })
})
