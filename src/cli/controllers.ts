// `rollcall controllers`: the workload controllers on a real cluster.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type FeatureGates, parseFeatureGates } from '../api/machinery/feature-gates.ts'
import { type ControllerName, controllerNames } from '../cluster/remote/preflight.ts'
import { type LogLevel, logLevels } from '../cluster/remote/structured-log.ts'
import { positiveNumber } from './flag-values.ts'
import { gates, length } from './up.ts'

export interface ControllersOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly controllers: readonly ControllerName[]
  readonly featureGates: FeatureGates
  readonly leaderElect: boolean
  readonly leaderElectResourceName: string
  readonly leaderElectResourceNamespace?: string
  readonly leaderElectLeaseDuration: number
  readonly leaderElectRenewDeadline: number
  readonly leaderElectRetryPeriod: number
  readonly kubeApiQps: number
  readonly kubeApiBurst: number
  readonly workers?: number
  readonly healthAddress: { readonly host: string; readonly port: number } | undefined
  readonly logLevel: LogLevel
  readonly dryRun?: boolean
  readonly preflight: boolean
}

export function addControllersCommand(program: Command): void {
  program
    .command('controllers')
    .summary('run the workload controllers on a real cluster, in place of the built-in ones')
    .description(
      'Run the controllers for Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs and CronJobs\non any Kubernetes API server. The built-in ones must be off; it checks, and says how. Several replicas elect a leader.',
    )
    .addOption(new Option('--kubeconfig <file>', 'how to reach the cluster (default: in-cluster, $KUBECONFIG, or ~/.kube/config)'))
    .addOption(new Option('--context <name>', 'the context of the kubeconfig (default: the current one)'))
    .addOption(
      new Option('--controllers <names>', 'which controllers to run, separated by commas')
        .default([...controllerNames], 'all of them')
        .argParser(readControllers),
    )
    .addOption(new Option('--dry-run', 'log what would be written, and write nothing'))
    .addOption(new Option('--no-preflight', 'do not check whether the built-in controllers are off'))
    .addOption(new Option('--no-leader-elect', 'do not elect a leader: this is the only replica'))
    .addOption(new Option('--leader-elect-resource-name <name>', 'the name of the Lease').default('rollcall-controllers'))
    .addOption(
      new Option('--leader-elect-resource-namespace <name>', 'its namespace (default: that of the pod or context, or kube-system)'),
    )
    .addOption(
      new Option('--leader-elect-lease-duration <duration>', 'how long a standby waits for a leader')
        .default(15_000, '15s')
        .argParser(length),
    )
    .addOption(
      new Option('--leader-elect-renew-deadline <duration>', 'how long a leader tries to renew').default(10_000, '10s').argParser(length),
    )
    .addOption(new Option('--leader-elect-retry-period <duration>', 'the wait between attempts').default(2_000, '2s').argParser(length))
    .addOption(new Option('--kube-api-qps <n>', 'requests a second to the API server').default(100).argParser(positiveNumber))
    .addOption(new Option('--kube-api-burst <n>', 'requests at once').default(200).argParser(positiveNumber))
    .addOption(
      new Option('--workers <n>', 'objects that are reconciled at a time, for each controller (default: 5 to 32)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option('--health-address <host:port>', '/healthz, /livez, /readyz and /metrics; 0 turns them off')
        .default({ host: '127.0.0.1', port: 10_270 }, '127.0.0.1:10270')
        .argParser(address),
    )
    .addOption(new Option('--log-level <level>', 'the least that is logged').choices([...logLevels]).default('info'))
    .addOption(
      new Option('--feature-gates <list>', 'switches, as A=true,B=false; see rollcall up --help')
        .default(parseFeatureGates(''), 'as in rollcall up')
        .argParser(gates),
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: stopped by a signal, and handed over. 1: the cluster did not answer, or leadership was lost. 2: a flag or the
kubeconfig is wrong. 3: built-in controllers are active.

Examples:
  rollcall controllers --dry-run                       what would it do in this cluster?
  rollcall controllers --controllers deployment,replicaset
  rollcall controllers --health-address 0.0.0.0:10270  in a pod, for the kubelet's probes`,
    )
    .action(async (options: ControllersOptions) => {
      const { runControllers } = await import('./run-controllers.ts')
      process.exitCode = await runControllers(options)
    })
}

function readControllers(text: string): ControllerName[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names)
    if (!(controllerNames as readonly string[]).includes(name))
      throw new InvalidArgumentError(`There is no controller "${name}"; the controllers are ${controllerNames.join(', ')}.`)
  return [...new Set(names)] as ControllerName[]
}

function address(text: string): { host: string; port: number } | undefined {
  if (text === '0') return undefined
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:]*)):([0-9]{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > 65_535) throw new InvalidArgumentError('Write it like 127.0.0.1:10270, or 0 for none.')
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port }
}
