// What a process beside an API server measures of itself, under the names that client-go's processes use.
import { LabelledMetrics } from '../../base/metrics.ts'

const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

export const createRemoteMetrics = () =>
  new LabelledMetrics(
    {
      rest_client_requests_total: {
        help: 'Number of HTTP requests, partitioned by status code and method.',
        labels: ['code', 'method'],
      },
      rollcall_dry_run_writes_total: { help: 'Number of writes that --dry-run has not sent.', labels: ['kind', 'verb'] },
      rollcall_fights_total: {
        help: 'Number of times that an object was left alone because another manager also writes its status.',
        labels: ['kind'],
      },
    },
    {
      rest_client_request_duration_seconds: {
        help: 'Request latency in seconds, by method.',
        labels: ['method'],
        buckets: durationBuckets,
      },
    },
  )

export type RemoteMetrics = ReturnType<typeof createRemoteMetrics>

/** `leader_election_master_status`, as client-go reports it. */
export const leadershipMetric = (name: string, isLeading: boolean) =>
  `# HELP leader_election_master_status Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.\n# TYPE leader_election_master_status gauge\nleader_election_master_status{name="${name}"} ${isLeading ? 1 : 0}\n`
