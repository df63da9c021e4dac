// The life of `rollcall controllers`: connect, check that the built-in controllers are off, stand by with warm caches, lead,
// and hand over.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import { type Clock, realClock } from '../../base/clock.ts'
import { machineRandom, type Random } from '../../base/random.ts'
import type { Connection } from '../../client/connection.ts'
import { createHttpClient } from '../../client/http-client.ts'
import { HttpTransport } from '../../client/http-transport.ts'
import { createRateLimiter } from '../../client/rate-limiter.ts'
import { type LeaderElection, type LeaderElectionTimings, startLeaderElection } from '../../runtime/leader-election/leader-election.ts'
import { createDryRunClient } from './dry-run-client.ts'
import { type HealthServer, startHealthServer } from './health-server.ts'
import { type ControllerName, findActiveControllers, refusal } from './preflight.ts'
import { createRemoteControllers, NotLeadingError } from './remote-controllers.ts'
import { createRemoteMetrics, leadershipMetric } from './remote-metrics.ts'
import { readServerFields } from './server-fields.ts'
import type { Log } from './structured-log.ts'

export { timingsProblem } from '../../runtime/leader-election/leader-election.ts'

export interface ControllersProcessOptions {
  readonly connection: Connection
  readonly controllers: readonly ControllerName[]
  readonly gates: FeatureGates
  /** Of the Lease and the probes of the preflight. */
  readonly namespace: string
  readonly version: string
  readonly log: Log
  readonly qps: number
  readonly burst: number
  readonly health?: { readonly host: string; readonly port: number }
  /** Absent: no election; this is the only process. */
  readonly leaderElection?: { readonly name: string; readonly identity?: string } & Partial<LeaderElectionTimings>
  readonly isDryRun?: boolean
  readonly skipsPreflight?: boolean
  readonly workers?: number
  readonly clock?: Clock
  readonly random?: Random
  /** Leadership was lost: the process has to end, so that another start begins from what is stored. */
  onLost(): void
}

export interface ControllersProcess {
  readonly healthUrl: string | undefined
  /** Finishes the writes under way, and hands over to another replica. */
  stop(): Promise<void>
}

/** The preflight found built-in controllers: the message says how to turn them off. */
export class PreflightError extends Error {}

export const fieldManager = 'rollcall'
const preflightWaitMs = 3_000
const connections = 128

export async function startControllersProcess(options: ControllersProcessOptions): Promise<ControllersProcess> {
  const { connection, log, namespace, controllers, clock = realClock, random = machineRandom } = options
  const metrics = createRemoteMetrics()
  let election: LeaderElection | undefined
  const mayWrite = () => options.leaderElection === undefined || (election?.isLeading() ?? false)
  const onAnswer = (method: string, code: number, durationMs: number) => {
    metrics.count('rest_client_requests_total', { code: code === 0 ? '<error>' : String(code), method })
    metrics.observe('rest_client_request_duration_seconds', { method }, durationMs / 1000)
  }
  const name = fieldManager
  const common = { connection, name, clock, random }
  // Reads and writes of the controllers are limited; those of the election and the preflight are not, so that a busy
  // controller does not lose the Lease.
  const ownClient = createHttpClient({ ...common, hooks: { onAnswer } })
  const client = createHttpClient({
    ...common,
    hooks: {
      limiter: createRateLimiter({ clock, qps: options.qps, burst: options.burst }),
      connections,
      onAnswer,
      // The last moment: a request may have waited for the limit while leadership was lost.
      beforeSend(method) {
        if (method !== 'GET' && !mayWrite()) throw new NotLeadingError()
      },
    },
  })
  const planned = (verb: string, kind: string, object: string) => {
    metrics.count('rollcall_dry_run_writes_total', { kind, verb })
    log.write('info', `would ${verb} ${kind} ${object}`, { kind, object, verb })
  }
  const close = () => {
    client.close()
    ownClient.close()
  }

  try {
    const transport = new HttpTransport({ connection, clock, name: fieldManager })
    const fields = await readServerFields((path) => transport.send({ method: 'GET', path }))
    transport.close()
    if (!options.skipsPreflight && !options.isDryRun) {
      log.write('info', 'checking that the built-in controllers are off', { controllers })
      const active = await findActiveControllers({ client: ownClient, clock, random, namespace, controllers, waitMs: preflightWaitMs })
      if (active.length > 0) throw new PreflightError(refusal(active))
    }

    const remote = createRemoteControllers({
      client: options.isDryRun ? createDryRunClient(client, ({ verb, kind, name: object }) => planned(verb, kind, object)) : client,
      clock,
      random,
      gates: options.gates,
      controllers,
      manager: fieldManager,
      ...(options.workers !== undefined && { workers: options.workers }),
      lacksTerminatingReplicas: !fields.terminatingReplicas,
      mayWrite: () => options.isDryRun === true || mayWrite(),
      onFight(kind, manager) {
        metrics.count('rollcall_fights_total', { kind, manager })
        log.write(
          'error',
          `"${manager}" also writes the status of ${kind}s: the controller for ${kind}s has stopped; turn the other one off, then restart`,
          { kind, manager },
        )
      },
      onFailure: (what, error) => log.write('warn', `${what}: ${error instanceof Error ? error.message : String(error)}`),
    })

    const unready = () => (remote.hasSynced ? [] : ['caches'])
    let health: HealthServer | undefined
    if (options.health !== undefined)
      health = await startHealthServer({
        ...options.health,
        unready,
        metrics: () => metrics.text() + remote.metrics() + leadershipMetric(options.leaderElection?.name ?? 'none', mayWrite()),
      })
    log.write('info', 'started', { server: connection.server, version: options.version, ...(health && { health: health.url }) })

    const stopAll = async () => {
      await remote.stop()
      await election?.stop()
      await health?.stop()
      close()
    }
    await remote.synced
    log.write('info', 'caches have synced')
    if (options.leaderElection === undefined || options.isDryRun) remote.start()
    else {
      const { name, identity = `${hostname()}_${randomUUID()}`, ...timings } = options.leaderElection
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
          remote.start()
        },
        onStoppedLeading() {
          log.write('error', 'leadership was lost: nothing more is written', { identity })
          options.onLost()
        },
        onNewLeader: (leader) => log.write('info', 'new leader', { leader }),
        onFailure: (error) => log.write('warn', `leader election: ${error instanceof Error ? error.message : String(error)}`),
      })
    }
    return { healthUrl: health?.url, stop: stopAll }
  } catch (error) {
    close()
    throw error
  }
}
