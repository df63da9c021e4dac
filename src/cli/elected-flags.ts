// The commands that work on a real cluster and elect a leader: their flags, and how they run until a signal ends them.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { realClock } from '../base/clock.ts'
import type { Connection } from '../client/connection.ts'
import { PreflightError } from '../cluster/remote/controllers-process.ts'
import { type ElectedProcess, type ElectedProcessOptions, timingsProblem } from '../cluster/remote/elected-process.ts'
import { createLog, type LogLevel, logLevels } from '../cluster/remote/structured-log.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { findConnection } from './cluster-connection.ts'
import { printError } from './error-line.ts'
import { duration, positiveNumber } from './flag-values.ts'

export interface ElectedFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly leaderElect: boolean
  readonly leaderElectResourceName: string
  readonly leaderElectResourceNamespace?: string
  readonly leaderElectLeaseDuration: number
  readonly leaderElectRenewDeadline: number
  readonly leaderElectRetryPeriod: number
  readonly kubeApiQps: number
  readonly kubeApiBurst: number
  readonly healthAddress: { readonly host: string; readonly port: number } | undefined
  readonly logLevel: LogLevel
  readonly dryRun?: boolean
}

export const addClusterFlags = (command: Command): Command =>
  command
    .addOption(new Option('--kubeconfig <file>', 'how to reach the cluster (default: in-cluster, $KUBECONFIG, or ~/.kube/config)'))
    .addOption(new Option('--context <name>', 'the context of the kubeconfig (default: the current one)'))

export const addElectedFlags = (command: Command, leaseName: string, { qps = 100, burst = 200 } = {}): Command =>
  addClusterFlags(command)
    .addOption(new Option('--dry-run', 'log the writes instead of making them'))
    .addOption(new Option('--no-leader-elect', 'do not elect a leader: this is the only replica'))
    .addOption(new Option('--leader-elect-resource-name <name>', 'the name of the Lease').default(leaseName))
    .addOption(
      new Option(
        '--leader-elect-resource-namespace <name>',
        'the namespace of the Lease (default: that of the pod or context, or kube-system)',
      ),
    )
    .addOption(
      new Option('--leader-elect-lease-duration <duration>', 'how long a standby waits for the leader to renew')
        .default(15_000, '15s')
        .argParser(duration),
    )
    .addOption(
      new Option('--leader-elect-renew-deadline <duration>', 'how long the leader tries to renew')
        .default(10_000, '10s')
        .argParser(duration),
    )
    .addOption(new Option('--leader-elect-retry-period <duration>', 'the wait between attempts').default(2_000, '2s').argParser(duration))
    .addOption(new Option('--kube-api-qps <n>', 'requests per second to the API server').default(qps).argParser(positiveNumber))
    .addOption(new Option('--kube-api-burst <n>', 'requests in a burst').default(burst).argParser(positiveNumber))
    .addOption(
      new Option('--health-address <host:port>', 'where to serve /healthz, /livez, /readyz and /metrics; 0 turns them off')
        .default({ host: '127.0.0.1', port: 10_270 }, '127.0.0.1:10270')
        .argParser(addressOrNone),
    )
    .addOption(new Option('--log-level <level>', 'the lowest level that is logged').choices([...logLevels]).default('info'))

function addressOrNone(text: string): { host: string; port: number } | undefined {
  return text === '0' ? undefined : address(text, 'Write an address such as 127.0.0.1:10270, or 0 for none.')
}

export function address(text: string, expected: unknown): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:]*)):([0-9]{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > 65_535)
    throw new InvalidArgumentError(typeof expected === 'string' ? expected : 'Write an address such as 0.0.0.0:9443.')
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port }
}

const defaultNamespace = 'kube-system'

/** Runs until a signal ends it; resolves to the exit code. `exitCodeOf` chooses the exit code for an error of the start. */
export async function runElected(
  flags: ElectedFlags,
  start: (options: ElectedProcessOptions) => Promise<ElectedProcess>,
  exitCodeOf: (error: Error) => number = () => 1,
): Promise<number> {
  const fail = (code: number, error: unknown) => {
    printError(error)
    if (error instanceof PreflightError) process.stderr.write(`${error.instructions}\n`)
    return code
  }
  const timings = {
    leaseDurationMs: flags.leaderElectLeaseDuration,
    renewDeadlineMs: flags.leaderElectRenewDeadline,
    retryPeriodMs: flags.leaderElectRetryPeriod,
  }
  const problem = timingsProblem(timings)
  if (problem !== undefined) return fail(2, `${problem}. Change the --leader-elect- flags.`)
  let connection: Connection
  try {
    connection = await findConnection(flags)
  } catch (error) {
    return fail(2, error)
  }
  const log = createLog(realClock, (line) => process.stderr.write(line), flags.logLevel)
  return new Promise<number>((resolve) => {
    let running: ElectedProcess | undefined
    let isStopping = false
    const stop = () => {
      if (isStopping) process.exit(130)
      isStopping = true
      log.write('info', 'stopping')
      void Promise.resolve(running?.stop()).then(() => {
        log.write('info', 'stopped')
        resolve(0)
      })
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    start({
      connection,
      log,
      namespace: flags.leaderElectResourceNamespace ?? connection.namespace ?? defaultNamespace,
      version: rollcallVersion,
      qps: flags.kubeApiQps,
      burst: flags.kubeApiBurst,
      ...(flags.healthAddress && { health: flags.healthAddress }),
      ...(flags.leaderElect && { leaderElection: { name: flags.leaderElectResourceName, ...timings } }),
      ...(flags.dryRun && { isDryRun: true }),
      // The state of this process is outdated once another replica leads: it ends at once, and a restart reads the stored objects.
      onLost: () => process.exit(1),
    }).then(
      (started) => {
        running = started
        if (isStopping) void started.stop().then(() => resolve(0))
      },
      (error: Error) => resolve(fail(exitCodeOf(error), error)),
    )
  })
}
