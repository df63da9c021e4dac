// `rollcall up`: runs a cluster in this process, until Ctrl-C.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type FeatureGates, featureGates } from '../api/machinery/feature-gates.ts'
import type { SwitchablePlugin } from '../api/machinery/switchable-plugins.ts'
import { parseTime, realClock } from '../base/clock.ts'
import { withFolder } from './cluster-folder.ts'
import { isDetached } from './detach.ts'
import {
  admissionPluginsOption,
  append,
  clockSpeed,
  duration,
  evictionTimeoutOption,
  featureGateOption,
  wholeNumber,
} from './flag-values.ts'

export interface UpOptions {
  readonly nodes?: number
  readonly nodeFile?: string
  readonly stages?: readonly string[]
  readonly missingImage?: readonly string[]
  readonly autoscale?: { readonly min: number; readonly max: number }
  readonly autoscaleNode?: { readonly cpu: string; readonly memory: string }
  readonly autoscaleDelay?: number
  readonly autoscaleIdle?: number
  readonly assumeSecrets?: boolean
  readonly pacer?: boolean
  readonly evictions?: boolean
  readonly evictionTimeout: number
  readonly nodeMonitorGracePeriod?: number
  readonly speed?: number
  readonly paused?: boolean
  readonly startTime?: number
  readonly seed?: number
  readonly name?: string
  readonly dataDir?: string
  readonly detach?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly memory?: boolean
  readonly from?: string
  readonly host: string
  readonly port?: number
  readonly kubeconfig?: string
  readonly featureGates: FeatureGates
  readonly enableAdmissionPlugins?: readonly SwitchablePlugin[]
  readonly disableAdmissionPlugins?: readonly SwitchablePlugin[]
  readonly admissionControlConfigFile?: string
  readonly ignoreSimulatedWebhooks?: boolean
}

export function addUpCommand(program: Command): void {
  withFolder(program.command('up'))
    .summary('start a cluster and print how to use it')
    .description(
      'Start a cluster in this process: a Kubernetes v1.37 API server with its own certificate authority, the controllers and simulated nodes. It runs until Ctrl-C, or with --detach until rollcall down. The next start continues with the stored objects.',
    )
    .optionsGroup('Nodes and pods:')
    .option(
      '--nodes <n>',
      'the number of simulated nodes; with 0, a client plays the kubelet through the API (default: 5)',
      wholeNumber(0, 5_000),
    )
    .option('--node-file <file>', 'groups of nodes, or Node objects; see docs/nodes.md')
    .option('--stages <path>', "a file or folder with KWOK's Stages for pods and nodes; can be repeated", append)
    .option('--missing-image <name>', "an image that cannot be pulled: repo/app:broken, 'repo/app:b*'; can be repeated", append)
    .option('--autoscale <min..max>', 'add nodes when pods are unschedulable, and remove unneeded nodes', range)
    .option('--autoscale-node <size>', 'the size of added nodes, such as 8cpu32Gi (default: that of the other nodes)', nodeSize)
    .option('--autoscale-delay <duration>', 'how long adding a node takes (default: 60s)', duration)
    .option('--autoscale-idle <duration>', 'how long a node must be unneeded before it is removed (default: 10m)', duration)
    .option('--assume-secrets', 'create placeholders for Secrets that pods have waited for 30 s: see docs/nodes.md')
    .option('--pacer', 'run the pacer, for workloads and namespaces that opt in: see docs/pacer.md')
    .addOption(
      new Option(
        '--evictions',
        'replace pods before they are evicted, for Deployments with podReplacementPolicy: TerminationComplete',
      ).conflicts('pacer'),
    )
    .addOption(evictionTimeoutOption())
    .option(
      '--node-monitor-grace-period <duration>',
      'how long a node may miss its heartbeats before it counts as lost (default: 50s)',
      duration,
    )
    .optionsGroup('How it runs:')
    .option('-d, --detach', 'run in the background; see rollcall status, logs and down')
    .option('-q, --quiet', 'print errors only')
    .option('--from <file>', 'start a new cluster from a file of rollcall save, at the time of that cluster')
    .option('--memory', 'keep the objects in memory only: they are lost when the cluster stops')
    .optionsGroup('Address and access:')
    .option('--host <address>', 'the address to listen on; any but a loopback address is reachable from other machines', '127.0.0.1')
    .option(
      '--port <port>',
      'the port to listen on; 0 means any free port (default: 6443, or any free port when 6443 is in use)',
      wholeNumber(0, 65_535),
    )
    .option(
      '--kubeconfig <file>',
      'where to write the kubeconfig (default: kubeconfig in the data directory; a named or detached cluster is also added to your own kubeconfig)',
    )
    .optionsGroup('Behaviour:')
    .addOption(featureGateOption('such as A=true,B=false; the gates are listed below', 'as listed below'))
    .addOption(
      admissionPluginsOption(
        '--enable-admission-plugins',
        'admission plugins of Kubernetes that are off by default: ServiceAccount gives every pod a service account and its token; see docs/access.md',
      ),
    )
    .addOption(admissionPluginsOption('--disable-admission-plugins', 'admission plugins to leave off, as they are by default'))
    .option(
      '--ignore-simulated-webhooks',
      'do not call admission webhooks in simulated pods, where no server runs, but warn: for charts with failurePolicy Fail; see docs/admission.md',
    )
    .option('--admission-control-config-file <file>', "defaults and exemptions of Kubernetes' PodSecurity plugin; see docs/admission.md")
    .optionsGroup('Time and randomness:')
    .option('--speed <n>', 'how many times faster than the wall clock cluster time runs: 60, 0.5', clockSpeed)
    .option('--paused', 'start with cluster time paused; advance it with rollcall step 10m, or resume it with rollcall resume')
    .option(
      '--start-time <time>',
      'the time at which a new cluster starts, such as 2026-01-01T00:00:00Z, or now (default: now; with --from: that of the file)',
      time,
    )
    .option('--seed <n>', 'the seed for random names, uids, delays and ties (default: random)', wholeNumber(0, 2 ** 31))
    .addHelpText('after', helpEpilogue)
    .action(async (options: UpOptions) => {
      if (options.detach && !isDetached) {
        const { runDetached } = await import('./detach.ts')
        await runDetached(options)
        return
      }
      const { runUp } = await import('./run-up.ts')
      await runUp(options)
    })
}

const range = (text: string) => {
  const [, min, max] = (/^(\d{1,4})\.\.(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (min === undefined || max === undefined || max < Math.max(1, min) || max > 5000)
    throw new InvalidArgumentError('Give two numbers up to 5000, the smaller one first: 3..10.')
  return { min, max }
}

const nodeSize = (text: string) => {
  const match = /^(\d+m?)cpu(\d+(?:[KMGT]i?)?)$/i.exec(text)
  if (match === null) throw new InvalidArgumentError('Write a size such as 8cpu32Gi.')
  return { cpu: match[1]!, memory: match[2]! }
}

const time = (text: string) => {
  if (text === 'now') return realClock.now()
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? parseTime(text) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Write a time such as 2026-01-01T00:00:00Z, or now.')
  return ms
}

const helpEpilogue = `
Feature gates (AllAlpha and AllBeta set many at once; a gate that is not named is off where the gate that it needs is off):
${Object.entries(featureGates)
  .map(([name, { default: on, about }]) => `  ${name.padEnd(40)} ${on ? 'on ' : 'off'}  ${about}`)
  .join('\n')}

The first start creates a certificate authority, a client certificate and a token in the data directory. Only you can
read them. The kubeconfig contains them. To use the cluster:
  export KUBECONFIG=.rollcall/kubeconfig
  kubectl get namespaces

Examples:
  rollcall up
  rollcall up --detach                      in the background; then rollcall status, logs, down
  rollcall up --detach --name team-a        one of several clusters, with the context rollcall-team-a
  rollcall up --memory --port 0 --kubeconfig /tmp/kubeconfig
  rollcall up --nodes 3 --autoscale 3..10   three to ten nodes, as pods need them
  rollcall up --node-file nodes.yaml --stages stages/
  rollcall up --speed 60                    an hour passes in a minute
  rollcall up --name copy --from web.snapshot
  rollcall up --paused --seed 1             then: rollcall step 10m
  rollcall up --feature-gates=ExtendedWorkloadConditions=false`
