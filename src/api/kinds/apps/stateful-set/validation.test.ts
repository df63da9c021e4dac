import { describe, expect, it } from 'vitest'
import { context, makeObject, podTemplate, said } from '../../../testing/make-object.ts'
import type { DaemonSet, StatefulSet } from '../../../types.ts'
import { daemonSets } from '../daemon-set/kind.ts'
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from '../daemon-set/validation.ts'
import { statefulSets } from './kind.ts'
import { validateStatefulSet, validateStatefulSetStatusUpdate, validateStatefulSetUpdate } from './validation.ts'

const base = { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template: podTemplate } }
// Not prepared: that would drop maxUnavailable, which Kubernetes has behind a gate that is off.
const { defaultSpec } = statefulSets.strategy
const statefulSet = (spec: object = {}) => makeObject<StatefulSet>('apps.StatefulSet', { defaultSpec: defaultSpec! }, base, { spec })
const daemonSet = (spec: object = {}) => makeObject<DaemonSet>('apps.DaemonSet', daemonSets.strategy, base, { spec })
const notNegative = 'must be greater than or equal to 0'
const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }

describe('validateStatefulSet()', () => {
  const at = 'spec.updateStrategy'
  const rows: readonly [string, object, readonly string[]][] = [
    ['a plain one', {}, []],
    [
      'an unknown pod management',
      { podManagementPolicy: 'Random' },
      ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
    ],
    [
      'OnDelete with rolling parameters',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      [`${at}.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`],
    ],
    [
      'an unknown update strategy',
      { updateStrategy: { type: 'Random' } },
      [`${at}: Invalid value: {"Type":"Random","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`],
    ],
    [
      'a negative partition',
      { updateStrategy: { rollingUpdate: { partition: -1 } } },
      [`${at}.rollingUpdate.partition: Invalid value: -1: ${notNegative}`],
    ],
    [
      'none that may be missing',
      { updateStrategy: { rollingUpdate: { maxUnavailable: '0%' } } },
      [`${at}.rollingUpdate.maxUnavailable: Invalid value: "0%": cannot be 0`],
    ],
    [
      'more than all that may be missing',
      { updateStrategy: { rollingUpdate: { maxUnavailable: '101%' } } },
      [`${at}.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`],
    ],
    [
      'an unknown retention',
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Burn' } },
      ['spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Burn": supported values: "Retain", "Delete"'],
    ],
    [
      'a claim without an access mode',
      { volumeClaimTemplates: [{ ...claim, spec: { resources: claim.spec.resources } }] },
      ['spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required'],
    ],
    [
      'a volume that is a claim of its own',
      {
        volumeClaimTemplates: [claim],
        template: { spec: { containers: [{ name: 'web', image: 'a', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] } },
      },
      [],
    ],
    ['a negative start', { ordinals: { start: -1 } }, [`spec.ordinals.start: Invalid value: -1: ${notNegative}`]],
    ['a service name with dots', { serviceName: 'a.b' }, ['spec.serviceName: Invalid value: "a.b": must not contain dots']],
    [
      'an empty selector',
      { selector: { matchLabels: null } },
      ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
    ],
    [
      'no selector',
      { selector: null },
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    ],
    ['a host name and a subdomain that will be replaced', { template: { spec: { hostname: 'A', subdomain: 'B' } } }, []],
    [
      'a template that ends',
      { template: { spec: { restartPolicy: 'OnFailure' } } },
      ['spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"'],
    ],
    [
      'KEP-2804, a deadline that cannot be met',
      { minReadySeconds: 5, progressDeadlineSeconds: 5 },
      ['spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds'],
    ],
    ['KEP-2804, a threshold', { operationalThreshold: '10%' }, []],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => expect(said(validateStatefulSet(statefulSet(spec), context))).toEqual(messages))
})

describe('validateStatefulSetUpdate()', () => {
  const rows: readonly [string, object, readonly string[]][] = [
    ['nothing', {}, []],
    [
      'all that may change',
      {
        replicas: 3,
        ordinals: { start: 1 },
        updateStrategy: { type: 'OnDelete', rollingUpdate: null },
        revisionHistoryLimit: 1,
        minReadySeconds: 1,
        template: { spec: { terminationGracePeriodSeconds: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
        progressDeadlineSeconds: 100,
        operationalThreshold: 1,
      },
      [],
    ],
    ['another service', { serviceName: 'b' }, ['spec.serviceName: Invalid value: "b": field is immutable']],
    [
      'another management',
      { podManagementPolicy: 'Parallel' },
      ['spec.podManagementPolicy: Invalid value: "Parallel": field is immutable'],
    ],
    [
      'another claim',
      { volumeClaimTemplates: [claim] },
      [
        'spec.volumeClaimTemplates: Invalid value: [{"name":"data","Spec":{"AccessModes":["ReadWriteOnce"],"Selector":null,"Resources":{"Limits":null,"Requests":{"storage":"1Gi"}},"VolumeName":"","StorageClassName":null,"VolumeMode":"Filesystem","DataSource":null,"DataSourceRef":null,"VolumeAttributesClassName":null},"Status":{"Phase":"Pending","AccessModes":null,"Capacity":null,"Conditions":null,"AllocatedResources":null,"AllocatedResourceStatuses":null,"CurrentVolumeAttributesClassName":null,"ModifyVolumeStatus":null,"HealthStatus":null}}]: field is immutable',
      ],
    ],
    [
      'another selector',
      { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } },
      ['spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable'],
    ],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => {
    expect(said(validateStatefulSetUpdate(statefulSet(spec), statefulSet(), context))).toEqual(messages)
  })

  it('does not judge a template again that was stored under older rules', () => {
    const bad = { template: { spec: { containers: [{ name: 'Web', image: 'a' }] } } }
    expect(validateStatefulSetUpdate(statefulSet({ ...bad, replicas: 2 }), statefulSet(bad), context)).toEqual([])
    expect(validateStatefulSetUpdate(statefulSet(bad), statefulSet(), context)).not.toEqual([])
  })
})

describe('validateStatefulSetStatusUpdate()', () => {
  it('counts', () => {
    const next = {
      ...statefulSet(),
      status: { replicas: 1, readyReplicas: 0, availableReplicas: 1, currentReplicas: 2, observedGeneration: -1 },
    }
    expect(said(validateStatefulSetStatusUpdate(next, statefulSet()))).toEqual([
      `status.observedGeneration: Invalid value: -1: ${notNegative}`,
      'status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas',
    ])
  })
})

describe('validateDaemonSet()', () => {
  const at = 'spec.updateStrategy'
  const rolling = (maxUnavailable: unknown, maxSurge: unknown) => ({ updateStrategy: { rollingUpdate: { maxUnavailable, maxSurge } } })
  const rows: readonly [string, object, readonly string[]][] = [
    ['a plain one', {}, []],
    [
      'no selector',
      { selector: null },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    [
      'an empty selector',
      { selector: { matchLabels: null } },
      ['spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
    ],
    [
      'a template that ends',
      { template: { spec: { activeDeadlineSeconds: 1 } } },
      ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported'],
    ],
    [
      'an unknown strategy',
      { updateStrategy: { type: 'Random' } },
      [`${at}: Unsupported value: {"Type":"Random","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"`],
    ],
    ['nothing that may change', rolling(0, 0), [`${at}.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`]],
    [
      'both ways at once',
      rolling(1, '10%'),
      [`${at}.rollingUpdate.maxSurge: Invalid value: "10%": may not be set when maxUnavailable is non-zero`],
    ],
    [
      'a surge of more than all',
      rolling(0, '101%'),
      [`${at}.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%`],
    ],
    ['a negative history', { revisionHistoryLimit: -1 }, [`spec.revisionHistoryLimit: Invalid value: -1: ${notNegative}`]],
    [
      'KEP-2804, a deadline that cannot be met',
      { minReadySeconds: 5, progressDeadlineSeconds: 4 },
      ['spec.progressDeadlineSeconds: Invalid value: 4: must be greater than minReadySeconds'],
    ],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => expect(said(validateDaemonSet(daemonSet(spec), context))).toEqual(messages))

  it('keeps the selector', () => {
    const next = daemonSet({ selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } })
    expect(said(validateDaemonSetUpdate(next, daemonSet(), context))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    ])
  })

  it('counts in its status', () => {
    const status = { currentNumberScheduled: 0, desiredNumberScheduled: -1, numberMisscheduled: 0, numberReady: 0 }
    expect(said(validateDaemonSetStatusUpdate({ ...daemonSet(), status }, daemonSet()))).toEqual([
      `status.desiredNumberScheduled: Invalid value: -1: ${notNegative}`,
    ])
  })
})
