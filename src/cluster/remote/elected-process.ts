// The life cycle of a process that works on a real cluster: connect, stand by with warm caches, lead, and hand over. The caller passes in
// the work that it does as the leader.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, realClock } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import { LabelledMetrics } from '../../base/metrics.ts'
import { machineRandom, type Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { Connection } from '../../client/connection.ts'
import { createHttpClient } from '../../client/http-client.ts'
import { createRateLimiter } from '../../client/rate-limiter.ts'
import { type LeaderElection, type LeaderElectionTimings, startLeaderElection } from '../../runtime/leader-election/leader-election.ts'
import { createDryRunClient } from './dry-run-client.ts'
import { type HealthServer, startHealthServer } from './health-server.ts'
import { NotLeadingError } from './not-leading-error.ts'
import type { Log } from './structured-log.ts'

export { timingsProblem } from '../../runtime/leader-election/leader-election.ts'

export interface ElectedProcessOptions {
  readonly connection: Connection
  /** The namespace of the Lease. */
  readonly namespace: string
  readonly version: string
  readonly log: Log
  readonly qps: number
  readonly burst: number
  readonly health?: { readonly host: string; readonly port: number }
  /** Absent: no election; this is the only process. */
  readonly leaderElection?: { readonly name: string; readonly identity?: string } & Partial<LeaderElectionTimings>
  readonly isDryRun?: boolean
  /** Leadership was lost: the process has to end, so that another start begins from what is stored. */
  onLost(): void
}

export interface ElectedProcess {
  readonly healthUrl: string | undefined
  /** Finishes the writes under way, and hands over to another replica. */
  stop(): Promise<void>
}

interface ElectedParts {
  /** Sends no write without leadership; its requests are limited. With --dry-run, it sends none at all. */
  readonly client: Client
  /** For requests before leadership is held. */
  readonly ownClient: Client
  readonly clock: Clock
  readonly random: Random
  readonly metrics: RemoteMetrics
  /** Whether writes may be sent at this moment. */
  mayWrite(): boolean
  onFailure(what: string, error: unknown): void
}

export interface ElectedWork {
  /** Resolves when the caches have synced. */
  readonly synced: Promise<void>
  readonly hasSynced: boolean
  /** What else is not ready, by name. */
  readonly unready?: readonly string[]
  /** What does not work as it should, for /readyz. */
  readonly warnings?: readonly string[]
  /** Called when leadership is held. */
  start(): void
  /** Resolves when the writes under way have been answered. */
  stop(): Promise<void>
  metrics(): string
}

/** The manager in managedFields. */
export const fieldManager = 'rollcall'
/** The maximum. Opening a connection costs as much CPU time as two writes; with too few, requests to a slow server wait for each other. */
const connections = 64

/** `prepare` is called once, before leadership is held. */
export async function startElectedProcess(
  options: ElectedProcessOptions,
  prepare: (parts: ElectedParts) => Promise<ElectedWork>,
): Promise<ElectedProcess> {
  const { connection, log, namespace, leaderElection, isDryRun = false } = options
  const clock = realClock
  const random = machineRandom
  const metrics = createRemoteMetrics()
  let election: LeaderElection | undefined
  const isLeading = () => leaderElection === undefined || (election?.isLeading() ?? false)
  const onResponse = (method: string, code: number, durationMs: number) => {
    metrics.count('rest_client_requests_total', { code: code === 0 ? '<error>' : String(code), method })
    metrics.observe('rest_client_request_duration_seconds', { method }, durationMs / 1000)
  }
  const common = { connection, name: fieldManager, clock, random }
  // Reads and writes of the work are limited; those of the election are not, so that a busy process does not lose the Lease.
  const ownClient = createHttpClient({ ...common, hooks: { onResponse } })
  const limited = createHttpClient({
    ...common,
    hooks: {
      limiter: createRateLimiter({ clock, qps: options.qps, burst: options.burst }),
      connections,
      onResponse,
      // Checked at the last moment: leadership may have been lost while the request waited for the rate limit.
      beforeSend(method) {
        if (method !== 'GET' && !isLeading()) throw new NotLeadingError()
      },
    },
  })
  const client = isDryRun
    ? createDryRunClient(limited, ({ verb, kind, name }) => {
        metrics.count('rollcall_dry_run_writes_total', { kind, verb })
        log.write('info', `would ${verb} ${kind} ${name}`, { kind, object: name, verb })
      })
    : limited
  const close = () => {
    limited.close()
    ownClient.close()
  }
  try {
    const work = await prepare({
      client,
      ownClient,
      clock,
      random,
      metrics,
      mayWrite: () => isDryRun || isLeading(),
      onFailure: (what, error) => log.write('warn', `${what}: ${messageOf(error)}`),
    })
    let health: HealthServer | undefined
    if (options.health !== undefined)
      health = await startHealthServer({
        ...options.health,
        unready: () => [...(work.hasSynced ? [] : ['caches']), ...(work.unready ?? [])],
        warnings: () => work.warnings ?? [],
        metrics: () => metrics.text() + work.metrics() + leadershipMetric(leaderElection?.name ?? 'none', isLeading()),
      })
    log.write('info', 'started', { server: connection.server, version: options.version, ...(health && { health: health.url }) })
    await work.synced
    log.write('info', 'caches have synced')
    if (leaderElection === undefined || isDryRun) work.start()
    else {
      const { name, identity = `${hostname()}_${randomUUID()}`, ...timings } = leaderElection
      election = startLeaderElection({
        ...timings,
        client: ownClient,
        clock,
        random,
        namespace,
        name,
        identity,
        onStartedLeading() {
          log.write('info', 'leading', { identity })
          work.start()
        },
        onStoppedLeading() {
          log.write('error', 'leadership was lost: nothing more is written', { identity })
          options.onLost()
        },
        onNewLeader: (leader) => log.write('info', 'new leader', { leader }),
        onFailure: (error) => log.write('warn', `leader election: ${messageOf(error)}`),
      })
    }
    return {
      healthUrl: health?.url,
      async stop() {
        await work.stop()
        await election?.stop()
        await health?.stop()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

// What a process beside an API server measures of itself, under the names that client-go's processes use.
const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

const createRemoteMetrics = () =>
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

type RemoteMetrics = ReturnType<typeof createRemoteMetrics>

/** `leader_election_master_status`, as client-go reports it. */
const leadershipMetric = (name: string, isLeading: boolean) =>
  `# HELP leader_election_master_status Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.\n# TYPE leader_election_master_status gauge\nleader_election_master_status{name="${name}"} ${isLeading ? 1 : 0}\n`
