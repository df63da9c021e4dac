// What the explorer keeps of a Deployment and a ReplicaSet, and the objects that the planners get.
//
// Times: a condition was updated now, or so long ago that the deadline has passed. Generations: a status is of the current one, of an older one,
// or was never written. The message of Progressing is reduced to what it waits for.
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import { formatTime, parseTime } from '../../base/clock.ts'
import {
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  replicasBeforeScaleAnnotation,
  revisionAnnotation,
  unreportedReplicasAnnotation,
} from '../../controllers/deployment/plan/annotations.ts'
import { setName, templateHashLabel } from '../../controllers/deployment/plan/replica-sets.ts'
import { templateHash } from '../../controllers/deployment/plan/template-hash.ts'

export const nowMs = 1_800_000_000_000
const deadlineSeconds = 600
const overdueMs = nowMs - (deadlineSeconds + 60) * 1000

export interface Policy {
  readonly name: string
  readonly policy?: 'TerminationStarted' | 'TerminationComplete'
  readonly asActive?: true
}

export const policies: readonly Policy[] = [
  { name: 'no policy' },
  { name: 'TerminationStarted', policy: 'TerminationStarted' },
  { name: 'TerminationComplete', policy: 'TerminationComplete' },
  { name: 'terminatingAsActive', asActive: true },
  { name: 'TerminationComplete with terminatingAsActive', policy: 'TerminationComplete', asActive: true },
]

export const isCapped = (policy: number): boolean => policy >= 2
export const countsAsActive = (policy: number): boolean => policy >= 3

/** The reasons of Progressing; 0 is no condition. */
export const reasons = [
  '',
  'ReplicaSetUpdated',
  'ReplicaSetCreateError',
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'NewReplicaSetAvailable',
  'ProgressDeadlineExceeded',
  'DeploymentPaused',
  'DeploymentResumed',
] as const

export const complete = reasons.indexOf('NewReplicaSetAvailable')
export const timedOut = reasons.indexOf('ProgressDeadlineExceeded')
/** `waits` of a Deployment that waits for the deletion of its ReplicaSet. */
const waitsForDeletion = 15
/** A count that a status lacks. */
export const absent = -1

export interface DeploymentRecord {
  readonly replicas: number
  readonly template: number
  readonly isPaused: number
  readonly policy: number
  /** The status is of the current generation. */
  readonly isObserved: number
  readonly pods: number
  readonly updated: number
  readonly ready: number
  readonly unavailable: number
  readonly terminating: number
  readonly reason: number
  /** The deadline has passed since Progressing was updated. */
  readonly isOverdue: number
  readonly waits: number
  /** 0 absent, 1 True, 2 False. */
  readonly available: number
  readonly hasFailure: number
  readonly revision: number
  /** A before-scale annotation that an older kubectl has copied. */
  readonly before: number
}

export const [never, older, current] = [0, 1, 2]
export const [stays, orphaning, foreground] = [0, 1, 2]

export interface SetRecord {
  readonly template: number
  /** Which ReplicaSet of its name it is: one that was deleted and created again has the next number. */
  readonly incarnation: number
  /** A higher number is newer. */
  readonly age: number
  readonly deletion: number
  readonly asActive: number
  readonly size: number
  /** These four: `absent`, or the value of the annotation. */
  readonly desired: number
  readonly max: number
  readonly before: number
  readonly unreported: number
  readonly revision: number
  readonly observed: number
  readonly pods: number
  readonly ready: number
  readonly terminating: number
  readonly hasFailure: number
}

export interface Shape {
  readonly isRecreate: boolean
  readonly maxSurge: number
  readonly maxUnavailable: number
  readonly historyLimit: number
}

type Template = NonNullable<Deployment['spec']>['template']
const templates = [0, 1, 2].map(
  (index) => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: `a:${index}` }] } }) as Template,
)
export const hashes = templates.map((template) => templateHash(template, undefined))
const setTemplates = templates.map(
  (template, index) => ({ ...template, metadata: { labels: { app: 'x', [templateHashLabel]: hashes[index]! } } }) as Template,
)
export const setNames = hashes.map((hash) => setName('web', hash))
export const uidOf = (template: number, incarnation: number): string => `set-${template}-${incarnation}`
const deploymentUid = 'deployment'

const controller = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'web',
  uid: deploymentUid,
  controller: true,
  blockOwnerDeletion: true,
}

function messageOf({ waits }: DeploymentRecord): string {
  if (waits === 0) return 'ReplicaSet is progressing.'
  if (waits === waitsForDeletion) return 'ReplicaSet is progressing. Waiting for the deletion of ReplicaSet.'
  return `ReplicaSet is progressing. Waiting for ${waits} terminating pods.`
}

const count = <K extends string>(field: K, value: number) => (value === 0 ? {} : ({ [field]: value } as Record<K, number>))

export function deploymentOf(record: DeploymentRecord, { isRecreate, maxSurge, maxUnavailable, historyLimit }: Shape): Stored<Deployment> {
  const { policy, asActive } = policies[record.policy]!
  const time = formatTime(record.isOverdue ? overdueMs : nowMs)
  const times = { lastUpdateTime: time, lastTransitionTime: time }
  const reason = reasons[record.reason]!
  const status = record.reason === timedOut ? 'False' : record.reason >= 7 ? 'Unknown' : 'True'
  const conditions = [
    ...(record.available === 0
      ? []
      : [
          {
            type: 'Available',
            status: record.available === 1 ? 'True' : 'False',
            reason: availability[record.available]!,
            message: '',
            ...times,
          },
        ]),
    ...(record.hasFailure ? [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: '', ...times }] : []),
    ...(record.reason === 0 ? [] : [{ type: 'Progressing', status, reason, message: messageOf(record), ...times }]),
  ]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'n',
      uid: deploymentUid,
      resourceVersion: '1',
      generation: 2,
      creationTimestamp: formatTime(nowMs - 1_000_000),
      annotations: {
        ...(record.revision > 0 && { [revisionAnnotation]: String(record.revision) }),
        ...(record.before !== absent && { [replicasBeforeScaleAnnotation]: String(record.before) }),
      },
    },
    spec: {
      replicas: record.replicas,
      selector: { matchLabels: { app: 'x' } },
      template: templates[record.template],
      strategy: isRecreate ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
      progressDeadlineSeconds: deadlineSeconds,
      revisionHistoryLimit: historyLimit,
      ...(record.isPaused === 1 && { paused: true }),
      ...(policy !== undefined && { podReplacementPolicy: policy }),
      ...(asActive && { terminatingAsActive: true }),
    },
    status: {
      ...count('observedGeneration', record.isObserved ? 2 : 1),
      ...count('replicas', record.pods),
      ...count('updatedReplicas', record.updated),
      ...count('readyReplicas', record.ready),
      ...count('availableReplicas', record.ready),
      ...count('unavailableReplicas', record.unavailable),
      ...(record.terminating !== absent && { terminatingReplicas: record.terminating }),
      conditions,
    },
  } as unknown as Stored<Deployment>
}

const availability = ['', 'MinimumReplicasAvailable', 'MinimumReplicasUnavailable']

/** The record of a Deployment whose status was written. */
export function recordOfDeployment({ metadata, status }: Stored<Deployment>, before: DeploymentRecord): DeploymentRecord {
  const find = (type: string) => status?.conditions?.find((one) => one.type === type)
  const [progressing, available] = [find('Progressing'), find('Available')]
  return {
    ...before,
    isObserved: status?.observedGeneration === metadata.generation ? 1 : 0,
    pods: status?.replicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    unavailable: status?.unavailableReplicas ?? 0,
    terminating: status?.terminatingReplicas ?? absent,
    reason: reasons.indexOf((progressing?.reason ?? '') as (typeof reasons)[number]),
    isOverdue: progressing !== undefined && parseTime(progressing.lastUpdateTime ?? '') < nowMs ? 1 : 0,
    waits: waitsOf(progressing?.message ?? ''),
    available: available === undefined ? 0 : available.status === 'True' ? 1 : 2,
    hasFailure: find('ReplicaFailure') === undefined ? 0 : 1,
    revision: Number(metadata.annotations?.[revisionAnnotation] ?? 0),
    before: annotated(metadata.annotations, replicasBeforeScaleAnnotation),
  }
}

function waitsOf(message: string): number {
  if (message.includes('Waiting for the deletion of')) return waitsForDeletion
  return Number(/Waiting for (\d+) terminating/.exec(message)?.[1] ?? 0)
}

const annotated = (annotations: Readonly<Record<string, string>> | undefined, key: string): number => Number(annotations?.[key] ?? absent)

export function replicaSetOf(record: SetRecord): Stored<ReplicaSet> {
  const { template, incarnation, observed } = record
  const hash = hashes[template]!
  const notes: readonly (readonly [string, number])[] = [
    [desiredReplicasAnnotation, record.desired],
    [maxReplicasAnnotation, record.max],
    [replicasBeforeScaleAnnotation, record.before],
    [unreportedReplicasAnnotation, record.unreported],
    [revisionAnnotation, record.revision],
  ]
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: setNames[template]!,
      namespace: 'n',
      uid: uidOf(template, incarnation),
      resourceVersion: '1',
      generation: 2,
      creationTimestamp: formatTime(nowMs - 900_000 + record.age * 1000),
      labels: { app: 'x', [templateHashLabel]: hash },
      annotations: Object.fromEntries(notes.filter(([, value]) => value !== absent).map(([key, value]) => [key, String(value)])),
      ownerReferences: [controller],
      ...(record.deletion !== stays && {
        deletionTimestamp: formatTime(nowMs),
        finalizers: [record.deletion === orphaning ? 'orphan' : 'foregroundDeletion'],
      }),
    },
    spec: {
      replicas: record.size,
      selector: { matchLabels: { app: 'x', [templateHashLabel]: hash } },
      template: setTemplates[template],
      ...(record.asActive === 1 && { terminatingAsActive: true }),
    },
    status:
      observed === never
        ? { replicas: 0 }
        : {
            replicas: record.pods,
            fullyLabeledReplicas: record.pods,
            readyReplicas: record.ready,
            availableReplicas: record.ready,
            ...(record.terminating !== absent && { terminatingReplicas: record.terminating }),
            observedGeneration: observed === current ? 2 : 1,
            ...(record.hasFailure === 1 && {
              conditions: [
                { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: '', lastTransitionTime: formatTime(nowMs) },
              ],
            }),
          },
  } as unknown as Stored<ReplicaSet>
}

/** The record of a ReplicaSet that was written with another spec or other annotations. */
export function recordOfSet({ metadata, spec }: ReplicaSet, before: SetRecord): SetRecord {
  const annotations = metadata?.annotations
  const size = spec?.replicas ?? 1
  const asActive = spec?.terminatingAsActive === true ? 1 : 0
  const isNewGeneration = size !== before.size || asActive !== before.asActive
  return {
    ...before,
    size,
    asActive,
    desired: annotated(annotations, desiredReplicasAnnotation),
    max: annotated(annotations, maxReplicasAnnotation),
    before: annotated(annotations, replicasBeforeScaleAnnotation),
    unreported: annotated(annotations, unreportedReplicasAnnotation),
    revision: Number(annotations?.[revisionAnnotation] ?? 0),
    observed: isNewGeneration && before.observed === current ? older : before.observed,
  }
}
