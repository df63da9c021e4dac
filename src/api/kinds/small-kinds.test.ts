import { describe, expect, it } from 'vitest'
import { creates, run, type Subject, updates } from '../testing/judge-rows.ts'
import { podTemplate } from '../testing/make-object.ts'
import { validateControllerRevision, validateControllerRevisionUpdate } from './apps/controller-revision/validation.ts'
import { validateScale } from './autoscaling/scale/validation.ts'
import { validateLease } from './coordination/lease/validation.ts'
import { podTemplateStrategy } from './core/pod-template/strategy.ts'
import { validatePodTemplate } from './core/pod-template/validation.ts'
import { priorityClassStrategy } from './scheduling/priority-class/strategy.ts'
import { validatePriorityClass, validatePriorityClassUpdate } from './scheduling/priority-class/validation.ts'
import { storageClassStrategy } from './storage/storage-class/strategy.ts'
import { validateStorageClass, validateStorageClassUpdate } from './storage/storage-class/validation.ts'

const notNegative = 'must be greater than or equal to 0'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }

creates(validateLease, { type: 'coordination.Lease', strategy: {}, base: { metadata } }, [
  ['a plain one', { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }, []],
  ['no time', { spec: { leaseDurationSeconds: 0 } }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
  ['fewer than no transitions', { spec: { leaseTransitions: -1 } }, [`spec.leaseTransitions: Invalid value: -1: ${notNegative}`]],
])

describe('validateLease()', () => {
  it('wants a strategy for a preferred holder', () => {
    // Behind a gate that is off, so the decoder drops them.
    const messages = ['spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined']
    expect(run(validateLease, { metadata, spec: { preferredHolder: 'a' } })).toEqual(messages)
    expect(run(validateLease, { metadata, spec: { preferredHolder: 'a', strategy: 'OldestEmulationVersion' } })).toEqual([])
    expect(run(validateLease, { metadata, spec: { strategy: 'Best' } })).toEqual([
      'spec.strategy.strategy: Unsupported value: "Best": supported values: "OldestEmulationVersion"',
    ])
  })
})

const priority: Subject = {
  type: 'scheduling.PriorityClass',
  strategy: priorityClassStrategy,
  base: { metadata: { name: 'a' }, value: 1 },
}
creates(validatePriorityClass, priority, [
  ['a plain one', {}, []],
  ['too much', { value: 1_000_000_001 }, ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000']],
  [
    'a name of the system',
    { metadata: { name: 'system-mine' } },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  ['a class of the system', { metadata: { name: 'system-node-critical' }, value: 2000001000 }, []],
  [
    'an unknown policy',
    { preemptionPolicy: 'Ask' },
    ['preemptionPolicy: Unsupported value: "Ask": supported values: "PreemptLowerPriority", "Never"'],
  ],
])
updates(validatePriorityClassUpdate, priority, [
  ['another value', { value: 2 }, {}, ['value: Forbidden: may not be changed in an update.']],
  ['another policy', { preemptionPolicy: 'Never' }, {}, [`preemptionPolicy: Invalid value: "Never": ${immutable}`]],
])

const storageClass: Subject = {
  type: 'storage.StorageClass',
  strategy: storageClassStrategy,
  base: { metadata: { name: 'a' }, provisioner: 'a.io/b' },
}
creates(validateStorageClass, storageClass, [
  [
    'a topology that asks for nothing',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }, {}] },
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""', 'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  ['a plain one', {}, []],
  ['no provisioner', { provisioner: '' }, ['provisioner: Required value']],
  [
    'an unknown policy',
    { reclaimPolicy: 'Recycle' },
    ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  ],
  [
    'an unknown mode',
    { volumeBindingMode: 'Later' },
    ['volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"'],
  ],
])
updates(validateStorageClassUpdate, storageClass, [
  ['other parameters', { parameters: { a: 'b' } }, {}, [`parameters: Invalid value: {"a":"b"}: ${immutable}`]],
  ['another provisioner', { provisioner: 'c.io/d' }, {}, [`provisioner: Invalid value: "c.io/d": ${immutable}`]],
])

const revision: Subject = { type: 'apps.ControllerRevision', strategy: {}, base: { metadata, revision: 1, data: { a: 1 } } }
creates(validateControllerRevision, revision, [
  ['a plain one', {}, []],
  ['no data', { data: null }, ['data: Required value: data is mandatory']],
  ['data of another form', { data: [1] }, ['data: Required value: data must be a valid JSON object']],
  ['a negative number', { revision: -1 }, [`revision: Invalid value: -1: ${notNegative}`]],
])
updates(validateControllerRevisionUpdate, revision, [
  ['another number', { revision: 2 }, {}, []],
  ['other data', { data: { a: 2 } }, {}, [`data: Invalid value: {"a":2}: ${immutable}`]],
])

creates(validatePodTemplate, { type: 'core.PodTemplate', strategy: podTemplateStrategy, base: { metadata, template: podTemplate } }, [
  ['a plain one', {}, []],
  ['no containers', { template: { spec: { containers: [] } } }, ['template.spec.containers: Required value']],
])

describe('validateScale()', () => {
  it('refuses negative replicas', () => {
    expect(validateScale({ metadata, spec: { replicas: 0 } })).toEqual([])
    expect(run(validateScale, { metadata, spec: { replicas: -1 } })).toEqual([`spec.replicas: Invalid value: -1: ${notNegative}`])
  })
})
