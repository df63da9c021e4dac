// The metrics of the Job controller, with the names of Kubernetes.
// Kubernetes: pkg/controller/job/metrics.JobSyncDurationSeconds, JobSyncNum, JobFinishedNum, JobPodsFinished
// Kubernetes: pkg/controller/job/metrics.PodFailuresHandledByFailurePolicy, TerminatedPodsTrackingFinalizerTotal
// Kubernetes: pkg/controller/job/metrics.JobFinishedIndexesTotal, JobPodsCreationTotal, JobByExternalControllerTotal

export interface JobMetrics {
  count(name: JobCounter, labels: Readonly<Record<string, string>>, by?: number): void
  observe(name: JobDuration, labels: Readonly<Record<string, string>>, seconds: number): void
}

type JobCounter = keyof typeof jobCounters
type JobDuration = keyof typeof jobDurations

export const jobCounters = {
  job_controller_job_syncs_total: { help: 'The number of job syncs', labels: ['completion_mode', 'result', 'action'] },
  job_controller_jobs_finished_total: { help: 'The number of finished jobs', labels: ['completion_mode', 'result', 'reason'] },
  job_controller_jobs_by_external_controller_total: {
    help: 'The number of Jobs managed by an external controller',
    labels: ['controller_name'],
  },
  job_controller_job_pods_finished_total: {
    help: 'The number of finished Pods that are fully tracked',
    labels: ['completion_mode', 'result'],
  },
  job_controller_pod_failures_handled_by_failure_policy_total: {
    help: 'The number of failed Pods handled by failure policy, by the action of the rule that matched',
    labels: ['action'],
  },
  job_controller_terminated_pods_tracking_finalizer_total: {
    help: 'The number of terminated pods (phase=Failed|Succeeded) that have the finalizer batch.kubernetes.io/job-tracking',
    labels: ['event'],
  },
  job_controller_job_finished_indexes_total: { help: 'The number of finished indexes', labels: ['status', 'backoffLimit'] },
  job_controller_job_pods_creation_total: {
    help: 'The number of Pods created by the Job controller, by the reason for their creation',
    labels: ['reason', 'status'],
  },
} as const

export const jobDurations = {
  job_controller_job_sync_duration_seconds: {
    help: 'The time it took to sync a job',
    labels: ['completion_mode', 'result', 'action'],
    buckets: Array.from({ length: 15 }, (_, power) => 0.004 * 2 ** power),
  },
} as const

export const noJobMetrics: JobMetrics = { count() {}, observe() {} }
