// What `kubectl get` shows of Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets and their kin.

import {
  ageColumn,
  ageOf,
  boolean,
  containerCells,
  containersColumn,
  imagesColumn,
  integer,
  labelsCell,
  nameColumn,
  nameOf,
  selectorCell,
  selectorColumn,
  text,
} from '../machinery/columns/cells.ts'
import { formatAge, formatDuration } from '../machinery/columns/duration.ts'
import type { Columns } from '../machinery/kind.ts'
import { controllerOf } from '../machinery/owners.ts'
import type {
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  Scale,
  StatefulSet,
} from '../types.ts'

const wide = [containersColumn, imagesColumn, selectorColumn]

export const deploymentColumns: Columns<Deployment> = {
  definitions: [
    nameColumn,
    text('Ready', 'How many of the wanted pods are ready.'),
    text('Up-to-date', 'How many pods have the newest template.'),
    text('Available', 'How many pods have been ready for long enough.'),
    ageColumn,
    ...wide,
  ],
  cells: (deployment, nowMs) => [
    nameOf(deployment),
    `${deployment.status?.readyReplicas ?? 0}/${deployment.spec?.replicas ?? 0}`,
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ageOf(deployment, nowMs),
    ...containerCells(deployment.spec?.template?.spec?.containers),
    deploymentSelector(deployment),
  ],
}

// Unlike the others, it shows an empty selector as nothing.
const deploymentSelector = (deployment: Deployment) => {
  const cell = selectorCell(deployment.spec?.selector)
  return cell === '<none>' ? '' : cell === '<error>' ? '<invalid>' : cell
}

const replicaDefinitions = [
  nameColumn,
  integer('Desired', 'How many pods are wanted.'),
  integer('Current', 'How many pods there are.'),
  integer('Ready', 'How many pods are ready.'),
  ageColumn,
  ...wide,
]

export const replicaSetColumns: Columns<ReplicaSet> = {
  definitions: replicaDefinitions,
  cells: (set, nowMs) => [
    nameOf(set),
    set.spec?.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    ageOf(set, nowMs),
    ...containerCells(set.spec?.template?.spec?.containers),
    selectorCell(set.spec?.selector),
  ],
}

export const replicationControllerColumns: Columns<ReplicationController> = {
  definitions: replicaDefinitions,
  cells: (controller, nowMs) => [
    nameOf(controller),
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    ageOf(controller, nowMs),
    ...containerCells(controller.spec?.template?.spec?.containers),
    labelsCell(controller.spec?.selector),
  ],
}

export const statefulSetColumns: Columns<StatefulSet> = {
  definitions: [nameColumn, text('Ready', 'How many of the wanted pods are ready.'), ageColumn, containersColumn, imagesColumn],
  cells: (set, nowMs) => [
    nameOf(set),
    `${set.status?.readyReplicas ?? 0}/${set.spec?.replicas ?? 0}`,
    ageOf(set, nowMs),
    ...containerCells(set.spec?.template?.spec?.containers),
  ],
}

export const daemonSetColumns: Columns<DaemonSet> = {
  definitions: [
    nameColumn,
    integer('Desired', 'How many nodes should run its pod.'),
    integer('Current', 'How many of these nodes do.'),
    integer('Ready', 'On how many nodes the pod is ready.'),
    integer('Up-to-date', 'On how many nodes the pod has the newest template.'),
    integer('Available', 'On how many nodes the pod has been ready for long enough.'),
    text('Node Selector', 'Which nodes it is for.'),
    ageColumn,
    ...wide,
  ],
  cells: (set, nowMs) => [
    nameOf(set),
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labelsCell(set.spec?.template?.spec?.nodeSelector),
    ageOf(set, nowMs),
    ...containerCells(set.spec?.template?.spec?.containers),
    selectorCell(set.spec?.selector),
  ],
}

export const jobColumns: Columns<Job> = {
  definitions: [
    nameColumn,
    text('Status', 'How the job stands.'),
    text('Completions', 'How many pods have succeeded, of how many.'),
    text('Duration', 'How long it took, or has taken so far.'),
    ageColumn,
    ...wide,
  ],
  cells: (job, nowMs) => [
    nameOf(job),
    jobStatus(job),
    jobCompletions(job),
    jobDuration(job, nowMs),
    ageOf(job, nowMs),
    ...containerCells(job.spec?.template?.spec?.containers),
    selectorCell(job.spec?.selector),
  ],
}

function jobStatus(job: Job): string {
  const has = (type: string) => job.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (job.metadata?.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running'
}

function jobCompletions(job: Job): string {
  const succeeded = job.status?.succeeded ?? 0
  const { completions, parallelism = 0 } = job.spec ?? {}
  if (completions !== undefined) return `${succeeded}/${completions}`
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(job: Job, nowMs: number): string {
  const { startTime, completionTime } = job.status ?? {}
  if (startTime === undefined) return ''
  return formatDuration((completionTime === undefined ? nowMs : Date.parse(completionTime)) - Date.parse(startTime))
}

export const cronJobColumns: Columns<CronJob> = {
  definitions: [
    nameColumn,
    text('Schedule', 'When it runs, in cron format.'),
    text('Timezone', 'The time zone of the schedule.'),
    boolean('Suspend', 'Whether no further jobs are started.'),
    integer('Active', 'How many of its jobs are running.'),
    text('Last Schedule', 'The time since it last started a job.'),
    ageColumn,
    ...wide,
  ],
  cells: (cronJob, nowMs) => [
    nameOf(cronJob),
    cronJob.spec?.schedule ?? '',
    cronJob.spec?.timeZone ?? '<none>',
    cronJob.spec?.suspend === undefined ? '<unset>' : cronJob.spec.suspend ? 'True' : 'False',
    cronJob.status?.active?.length ?? 0,
    cronJob.status?.lastScheduleTime === undefined ? '<none>' : formatAge(cronJob.status.lastScheduleTime, nowMs),
    ageOf(cronJob, nowMs),
    ...containerCells(cronJob.spec?.jobTemplate?.spec?.template?.spec?.containers),
    selectorCell(cronJob.spec?.jobTemplate?.spec?.selector),
  ],
}

export const controllerRevisionColumns: Columns<ControllerRevision> = {
  definitions: [nameColumn, text('Controller', 'What it is a revision of.'), text('Revision', 'Its number.'), ageColumn],
  cells: (revision, nowMs) => [nameOf(revision), controllerCell(revision), revision.revision ?? 0, ageOf(revision, nowMs)],
}

function controllerCell(revision: ControllerRevision): string {
  const owner = controllerOf(revision)
  if (owner === undefined) return '<none>'
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`
}

export const podDisruptionBudgetColumns: Columns<PodDisruptionBudget> = {
  definitions: [
    nameColumn,
    text('Min Available', 'How many pods must stay available.'),
    text('Max Unavailable', 'How many pods may be unavailable.'),
    integer('Allowed Disruptions', 'How many pods may be evicted right now.'),
    ageColumn,
  ],
  cells: (budget, nowMs) => [
    nameOf(budget),
    String(budget.spec?.minAvailable ?? 'N/A'),
    String(budget.spec?.maxUnavailable ?? 'N/A'),
    budget.status?.disruptionsAllowed ?? 0,
    ageOf(budget, nowMs),
  ],
}

export const scaleColumns: Columns<Scale> = {
  definitions: [
    text('Name', 'The name of the object that is scaled.'),
    integer('Desired', 'How many replicas there are to be.'),
    integer('Available', 'How many replicas there are.'),
    ageColumn,
  ],
  cells: (scale, nowMs) => [nameOf(scale), scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, ageOf(scale, nowMs)],
}
