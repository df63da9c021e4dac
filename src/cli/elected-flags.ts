// The flags of commands that work on a real cluster and elect a leader.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type LogLevel, logLevels } from '../cluster/remote/structured-log.ts'
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
    .optionsGroup('The cluster:')
    .option('--kubeconfig <file>', 'how to reach the cluster (default: in-cluster, $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')

export const addElectedFlags = (command: Command, leaseName: string, { qps = 100, burst = 200 } = {}): Command =>
  addClusterFlags(command)
    .option('--dry-run', 'log the writes instead of making them')
    .optionsGroup('Leader election:')
    .option('--no-leader-elect', 'do not elect a leader: this is the only replica')
    .option('--leader-elect-resource-name <name>', 'the name of the Lease', leaseName)
    .option('--leader-elect-resource-namespace <name>', 'the namespace of the Lease (default: that of the pod or context, or kube-system)')
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
    .optionsGroup('Operation:')
    .option('--kube-api-qps <n>', 'requests per second to the API server', positiveNumber, qps)
    .option('--kube-api-burst <n>', 'requests in a burst', positiveNumber, burst)
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
