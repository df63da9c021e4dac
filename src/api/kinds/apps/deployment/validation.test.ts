import { describe, expect, it } from 'vitest'
import { context, makeObject, podTemplate, said } from '../../../testing/make-object.ts'
import type { Deployment, ReplicaSet, ReplicationController } from '../../../types.ts'
import {
  replicationControllers,
  validateReplicationController,
  validateReplicationControllerStatusUpdate,
} from '../../core/replication-controller/kind.ts'
import { replicaSets, validateReplicaSet, validateReplicaSetStatusUpdate, validateReplicaSetUpdate } from '../replica-set/kind.ts'
import { deployments } from './kind.ts'
import { validateDeployment, validateDeploymentStatusUpdate, validateDeploymentUpdate } from './validation.ts'

const base = { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template: podTemplate } }
const deployment = (spec: object = {}) => makeObject<Deployment>('apps.Deployment', deployments.strategy, base, { spec })
const replicaSet = (spec: object = {}) => makeObject<ReplicaSet>('apps.ReplicaSet', replicaSets.strategy, base, { spec })

const rolling = (maxUnavailable: unknown, maxSurge: unknown = 1) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } },
})
const notNegative = 'must be greater than or equal to 0'
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
const at = 'spec.strategy.rollingUpdate'

describe('validateDeployment()', () => {
  const rows: readonly [string, object, readonly string[]][] = [
    ['a plain one', {}, []],
    ['negative replicas', { replicas: -1 }, [`spec.replicas: Invalid value: -1: ${notNegative}`]],
    [
      'no selector',
      { selector: null },
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'an empty selector',
      { selector: { matchLabels: null } },
      ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    ],
    [
      'a selector that does not match',
      { selector: { matchLabels: { app: 'x' } } },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    [
      'a selector that cannot be read',
      { selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
        'spec.selector: Invalid value: {"matchLabels":{"app":"web"},"matchExpressions":[{"key":"a","operator":"Like"}]}: invalid label selector',
      ],
    ],
    [
      'a template that ends',
      { template: { spec: { restartPolicy: 'Never', activeDeadlineSeconds: 5 } } },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    [
      'Recreate with rolling parameters',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      [`${at}: Forbidden: may not be specified when strategy \`type\` is 'Recreate'`],
    ],
    [
      'an unknown strategy',
      { strategy: { type: 'Bluegreen' } },
      ['spec.strategy: Unsupported value: {"Type":"Bluegreen","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"'],
    ],
    ['a surge that is no percentage', rolling(1, '5'), [`${at}.maxSurge: Invalid value: "5": ${percent}`]],
    ['a negative surge', rolling(1, -1), [`${at}.maxSurge: Invalid value: -1: ${notNegative}`]],
    ['nothing that may change', rolling(0, 0), [`${at}.maxUnavailable: Invalid value: 0: may not be 0 when \`maxSurge\` is 0`]],
    ['no percent at all', rolling('0%', '0%'), [`${at}.maxUnavailable: Invalid value: "0%": may not be 0 when \`maxSurge\` is 0`]],
    ['more than all', rolling('101%'), [`${at}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`]],
    ['a surge of more than all', rolling(1, '200%'), []],
    ['negative minReadySeconds', { minReadySeconds: -1 }, [`spec.minReadySeconds: Invalid value: -1: ${notNegative}`]],
    ['a negative history', { revisionHistoryLimit: -1 }, [`spec.revisionHistoryLimit: Invalid value: -1: ${notNegative}`]],
    [
      'a deadline that cannot be met',
      { minReadySeconds: 10, progressDeadlineSeconds: 10 },
      ['spec.progressDeadlineSeconds: Invalid value: 10: must be greater than minReadySeconds'],
    ],
    [
      'a negative deadline',
      { progressDeadlineSeconds: -1 },
      [
        `spec.progressDeadlineSeconds: Invalid value: -1: ${notNegative}`,
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
      ],
    ],
    ['KEP-5882, started', { podReplacementPolicy: 'TerminationStarted' }, []],
    ['KEP-5882, complete', { podReplacementPolicy: 'TerminationComplete' }, []],
    [
      'KEP-5882, anything else',
      { podReplacementPolicy: 'Failed' },
      ['spec.podReplacementPolicy: Unsupported value: "Failed": supported values: "TerminationComplete", "TerminationStarted"'],
    ],
    ['the draft of KEP-3939, alone', { terminatingAsActive: true }, []],
    ['the draft of KEP-3939, in agreement', { terminatingAsActive: true, podReplacementPolicy: 'TerminationComplete' }, []],
    ['the draft of KEP-3939, not asked for', { terminatingAsActive: false, podReplacementPolicy: 'TerminationStarted' }, []],
    [
      'the draft of KEP-3939, in contradiction',
      { terminatingAsActive: true, podReplacementPolicy: 'TerminationStarted' },
      ["spec.terminatingAsActive: Invalid value: true: may not be true when podReplacementPolicy is 'TerminationStarted'"],
    ],
    ['KEP-2804, a number', { operationalThreshold: 2 }, []],
    ['KEP-2804, a share', { operationalThreshold: '100%' }, []],
    [
      'KEP-2804, too large a share',
      { operationalThreshold: '101%' },
      ['spec.operationalThreshold: Invalid value: "101%": must not be greater than 100%'],
    ],
    ['KEP-2804, a negative number', { operationalThreshold: -1 }, [`spec.operationalThreshold: Invalid value: -1: ${notNegative}`]],
    ['KEP-2804, a word', { operationalThreshold: 'all' }, [`spec.operationalThreshold: Invalid value: "all": ${percent}`]],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => expect(said(validateDeployment(deployment(spec), context))).toEqual(messages))
})

describe('validateDeploymentUpdate()', () => {
  it('keeps the selector', () => {
    const next = deployment({ selector: { matchLabels: { app: 'web', tier: 'a' } }, template: { metadata: { labels: { tier: 'a' } } } })
    expect(said(validateDeploymentUpdate(next, deployment(), context))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
    ])
  })

  it('allows all other changes', () => {
    const next = deployment({ replicas: 5, paused: true, template: { spec: { containers: [{ name: 'web', image: 'b' }] } } })
    expect(validateDeploymentUpdate(next, deployment(), context)).toEqual([])
  })
})

describe('validateDeploymentUpdate() of terminatingAsActive beside TerminationStarted', () => {
  const contradictory = { terminatingAsActive: true, podReplacementPolicy: 'TerminationStarted' }

  it('refuses the change that brings them together', () =>
    expect(said(validateDeploymentUpdate(deployment(contradictory), deployment(), context))).toHaveLength(1))

  it('allows changes of an object that was stored with both', () =>
    expect(validateDeploymentUpdate(deployment({ ...contradictory, replicas: 5 }), deployment(contradictory), context)).toEqual([]))
})

describe('validateDeploymentStatusUpdate()', () => {
  const withStatus = (status: object) => ({ ...deployment(), status })
  const rows: readonly [string, object, readonly string[]][] = [
    ['good counters', { replicas: 3, updatedReplicas: 1, readyReplicas: 3, availableReplicas: 2, collisionCount: 2 }, []],
    [
      'a negative counter',
      { terminatingReplicas: -1, collisionCount: 1 },
      [`status.terminatingReplicas: Invalid value: -1: ${notNegative}`],
    ],
    [
      'more updated than there are',
      { replicas: 1, updatedReplicas: 2, collisionCount: 1 },
      ['status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas'],
    ],
    [
      'more available than ready',
      { replicas: 2, availableReplicas: 1, collisionCount: 1 },
      ['status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas'],
    ],
    ['fewer collisions', { collisionCount: 0 }, ['status.collisionCount: Invalid value: 0: cannot be decremented']],
    ['no collisions', {}, ['status.collisionCount: Invalid value: 0: cannot be decremented']],
  ]
  it.each(rows)('judges %s', (_, status, messages) => {
    const current = withStatus({ collisionCount: 1 })
    expect(said(validateDeploymentStatusUpdate(withStatus(status), current))).toEqual(messages)
  })
})

describe('validateReplicaSet()', () => {
  it('says what Kubernetes says, also of Deployments', () => {
    expect(validateReplicaSet(replicaSet(), context)).toEqual([])
    expect(said(validateReplicaSet(replicaSet({ replicas: -1, selector: { matchLabels: null } }), context))).toEqual([
      `spec.replicas: Invalid value: -1: ${notNegative}`,
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ])
  })

  it('keeps the selector', () => {
    const next = replicaSet({ selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } })
    expect(said(validateReplicaSetUpdate(next, replicaSet(), context))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    ])
  })

  it('counts in its status', () => {
    const next = { ...replicaSet(), status: { replicas: 1, fullyLabeledReplicas: 2, terminatingReplicas: -1 } }
    expect(said(validateReplicaSetStatusUpdate(next))).toEqual([
      `status.terminatingReplicas: Invalid value: -1: ${notNegative}`,
      'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ])
  })
})

describe('validateReplicationController()', () => {
  const controller = (spec: object) =>
    makeObject<ReplicationController>('core.ReplicationController', replicationControllers.strategy, { metadata: { name: 'web' }, spec })
  const rows: readonly [string, object, readonly string[]][] = [
    ['a plain one, whose selector is its labels', { template: podTemplate }, []],
    ['no template', { selector: { a: 'b' } }, ['spec.template: Required value']],
    [
      'a selector that does not match',
      { selector: { a: 'b' }, template: podTemplate },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    ['no selector', { template: { spec: podTemplate.spec } }, ['spec.selector: Required value']],
    [
      'a deadline',
      { template: { ...podTemplate, spec: { ...podTemplate.spec, activeDeadlineSeconds: 1 } } },
      ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported'],
    ],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => {
    expect(said(validateReplicationController(controller(spec), context))).toEqual(messages)
  })

  it('counts in its status', () => {
    const one = controller({ template: podTemplate })
    const next = { ...one, status: { replicas: 0, readyReplicas: 1 } }
    expect(said(validateReplicationControllerStatusUpdate(next))).toEqual([
      'status.readyReplicas: Invalid value: 1: cannot be greater than status.replicas',
    ])
  })
})
