// The messages are those of kube-apiserver v1.37.1.
import { expect, it } from 'vitest'
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { created, updated } from '../../../testing/prepared-objects.ts'
import { deviceTaintRules, validateDeviceTaintRule } from './kind.ts'

const spec = { deviceSelector: { driver: 'd.example.org' }, taint: { key: 'a', effect: 'NoSchedule' } }
const rule: Subject = { type: 'resource.DeviceTaintRule', strategy: deviceTaintRules.strategy, base: { metadata: { name: 'r' }, spec } }
creates(validateDeviceTaintRule, rule, [
  ['a good one', {}, []],
  [
    'a wrong effect and an empty pool',
    { spec: { deviceSelector: { pool: '' }, taint: { key: 'a', effect: 'x' } } },
    [
      'spec.deviceSelector.pool: Required value',
      'spec.taint.effect: Unsupported value: "x": supported values: "NoExecute", "NoSchedule", "None"',
    ],
  ],
])

it('gives a taint the time of its effect', () => {
  const old = { key: 'a', effect: 'NoSchedule', timeAdded: '2020-01-01T00:00:00Z' }
  const before = created(deviceTaintRules, { metadata: { name: 'r' }, spec: { taint: old } })
  const same = updated(deviceTaintRules, { metadata: { name: 'r' }, spec: { taint: { ...old, value: 'x' } } }, before)
  const other = updated(deviceTaintRules, { metadata: { name: 'r' }, spec: { taint: { ...old, effect: 'NoExecute' } } }, before)
  expect([same, other].map((one) => one.spec.taint.timeAdded)).toEqual(['2020-01-01T00:00:00Z', '2026-11-01T12:00:00Z'])
})
