import type { Types } from '../../../machinery/schema/schema.ts'

export const jobTypes: Types = {
  'batch.Job': {
    $typeMeta: 'object',
    spec: 'batch.JobSpec #2',
    status: 'batch.JobStatus #3',
  },
  'batch.JobSpec': {
    parallelism: '*int32 #1',
    completions: '*int32 #2',
    activeDeadlineSeconds: '*int64 #3',
    podFailurePolicy: '*batch.PodFailurePolicy #11',
    successPolicy: '*batch.SuccessPolicy #16',
    backoffLimit: '*int32 #7',
    backoffLimitPerIndex: '*int32 #12',
    maxFailedIndexes: '*int32 #13',
    selector: '*meta.LabelSelector #4',
    manualSelector: '*bool #5',
    template: 'core.PodTemplateSpec always required #6',
    ttlSecondsAfterFinished: '*int32 #8',
    completionMode: '*string goType=v1.CompletionMode #9',
    suspend: '*bool #10',
    podReplacementPolicy: '*string enum=Failed|TerminatingOrFailed goType=v1.PodReplacementPolicy #14',
    managedBy: '*string #15',
    terminatingAsActive: '*bool proposal',
  },
  'batch.PodFailurePolicy': {
    rules: '[]batch.PodFailurePolicyRule always list=atomic required #1',
  },
  'batch.PodFailurePolicyRule': {
    action: 'string always required goType=v1.PodFailurePolicyAction #1',
    onExitCodes: '*batch.PodFailurePolicyOnExitCodesRequirement #2',
    onPodConditions: '[]batch.PodFailurePolicyOnPodConditionsPattern list=atomic #3',
  },
  'batch.PodFailurePolicyOnExitCodesRequirement': {
    containerName: '*string #1',
    operator: 'string always required goType=v1.PodFailurePolicyOnExitCodesOperator #2',
    values: '[]int32 always list=set required #3',
  },
  'batch.PodFailurePolicyOnPodConditionsPattern': {
    type: 'string always required goType=v1.PodConditionType #1',
    status: 'string always goType=v1.ConditionStatus #2',
  },
  'batch.SuccessPolicy': {
    rules: '[]batch.SuccessPolicyRule always list=atomic required #1',
  },
  'batch.SuccessPolicyRule': {
    succeededIndexes: '*string #1',
    succeededCount: '*int32 #2',
  },
  'batch.JobStatus': {
    conditions: '[]batch.JobCondition patch=merge mergeKey=type list=atomic #1',
    startTime: '*Time #2',
    completionTime: '*Time #3',
    active: 'int32 #4',
    succeeded: 'int32 #5',
    failed: 'int32 #6',
    terminating: '*int32 #11',
    completedIndexes: 'string #7',
    failedIndexes: '*string #10',
    uncountedTerminatedPods: '*batch.UncountedTerminatedPods #8',
    ready: '*int32 #9',
  },
  'batch.JobCondition': {
    type: 'string always required goType=v1.JobConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastProbeTime: 'Time #3',
    lastTransitionTime: 'Time #4',
    reason: 'string #5',
    message: 'string #6',
  },
  'batch.UncountedTerminatedPods': {
    succeeded: '[]string list=set goType=[]types.UID #1',
    failed: '[]string list=set goType=[]types.UID #2',
  },
}
