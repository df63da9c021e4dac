// `rollcall up`: a cluster in this process, until Ctrl-C.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import { featureGates, parseFeatureGates } from '../api/machinery/feature-gates.ts'
import { parseTime } from '../base/clock.ts'
import { parseDurationMs } from '../base/duration.ts'
import { wholeNumber } from './flag-values.ts'

export interface UpOptions {
  readonly nodes?: number
  readonly nodeFile?: string
  readonly stages?: readonly string[]
  readonly missingImage?: readonly string[]
  readonly autoscale?: { readonly min: number; readonly max: number }
  readonly autoscaleNode?: { readonly cpu: string; readonly memory: string }
  readonly autoscaleDelay?: number
  readonly autoscaleIdle?: number
  readonly nodeMonitorGracePeriod?: number
  readonly speed?: number
  readonly paused?: boolean
  readonly startTime?: number
  readonly seed?: number
  readonly dataDir: string
  readonly memory?: boolean
  readonly host: string
  readonly port?: number
  readonly kubeconfig?: string
  readonly featureGates: FeatureGates
}

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .summary('start a cluster and print how to use it')
    .description(
      'Start a cluster in this process: a Kubernetes v1.36 API server with its own certificate authority,\nand the controllers behind it. It runs until Ctrl-C; what it stored is there again at the next start.',
    )
    .addOption(
      new Option('--nodes <n>', 'how many simulated nodes; with 0, you play the kubelet through the API (default: 5)').argParser(
        wholeNumber(0, 5_000),
      ),
    )
    .addOption(new Option('--node-file <file>', 'which nodes there are: groups of them, or Node objects; see docs/nodes.md'))
    .addOption(
      new Option('--stages <path>', "a file or folder with KWOK's Stages, by which pods and nodes live; may be given again").argParser(
        append,
      ),
    )
    .addOption(
      new Option('--missing-image <name>', "an image that cannot be pulled: repo/app:broken, 'repo/app:b*'; may be given again").argParser(
        append,
      ),
    )
    .addOption(new Option('--autoscale <min..max>', 'add nodes when pods find no place, remove those that nobody needs').argParser(range))
    .addOption(
      new Option('--autoscale-node <size>', 'what the nodes are like that come, as 8cpu32Gi (default: as the others)').argParser(nodeSize),
    )
    .addOption(new Option('--autoscale-delay <duration>', 'until a node is there (default: 60s)').argParser(length))
    .addOption(new Option('--autoscale-idle <duration>', 'how long nobody has needed a node when it goes (default: 10m)').argParser(length))
    .addOption(
      new Option(
        '--node-monitor-grace-period <duration>',
        'how long a node may be silent before it counts as lost (default: 50s)',
      ).argParser(length),
    )
    .addOption(new Option('--data-dir <dir>', 'where the cluster is kept').default('.rollcall'))
    .addOption(new Option('--memory', 'keep the objects in memory only: nothing of them is left when it stops'))
    .addOption(
      new Option('--host <address>', 'the address to listen on; anything but loopback lets other machines in').default('127.0.0.1'),
    )
    .addOption(
      new Option(
        '--port <port>',
        'the port to listen on; 0 takes any free one (default: 6443, or any free one when it is taken)',
      ).argParser(wholeNumber(0, 65_535)),
    )
    .addOption(new Option('--kubeconfig <file>', 'where to write the kubeconfig (default: kubeconfig in the data directory)'))
    .addOption(
      new Option('--feature-gates <list>', 'switches, as A=true,B=false; see below')
        .default(parseFeatureGates(''), 'as listed below')
        .argParser(gates),
    )
    .addOption(new Option('--speed <n>', 'let cluster time run so many times faster than the wall clock: 60, 0.5').argParser(speed))
    .addOption(new Option('--paused', 'let cluster time stand still; rollcall step 10m lets it pass, rollcall resume lets it run'))
    .addOption(
      new Option('--start-time <time>', 'when the life of a new cluster begins, as 2026-01-01T00:00:00Z (default: now)').argParser(time),
    )
    .addOption(
      new Option('--seed <n>', 'draw names, uids, delays and ties from this number (default: from the machine)').argParser(
        wholeNumber(0, 2 ** 31),
      ),
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', helpEnd)
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./run-up.ts')
      await runUp(options)
    })
}

const append = (text: string, before: readonly string[] = []) => [...before, text]

const range = (text: string) => {
  const [, min, max] = (/^(\d{1,4})\.\.(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (min === undefined || max === undefined || max < Math.max(1, min) || max > 5000)
    throw new InvalidArgumentError('Give two numbers up to 5000, the smaller one first: 3..10.')
  return { min, max }
}

const nodeSize = (text: string) => {
  const match = /^(\d+m?)cpu(\d+(?:[KMGT]i?)?)$/i.exec(text)
  if (match === null) throw new InvalidArgumentError('Write it like 8cpu32Gi.')
  return { cpu: match[1]!, memory: match[2]! }
}

export const length = (text: string): number => {
  try {
    const ms = parseDurationMs(text)
    if (ms >= 1) return ms
  } catch {}
  throw new InvalidArgumentError('Write it like 250ms, 90s, 1h30m or 2d.')
}

/** As the server takes it. */
export const speed = (text: string) => {
  const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 0.001 && value <= 10_000)) throw new InvalidArgumentError('Give a number from 0.001 to 10000.')
  return value
}

const time = (text: string) => {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? parseTime(text) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Write it like 2026-01-01T00:00:00Z.')
  return ms
}

export const gates = (text: string) => {
  try {
    return parseFeatureGates(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

const helpEnd = `
Feature gates (AllAlpha and AllBeta switch many at once; a gate that is not named goes off with the one it needs):
${Object.entries(featureGates)
  .map(([name, { default: on, about }]) => `  ${name.padEnd(40)} ${on ? 'on ' : 'off'}  ${about}`)
  .join('\n')}

The first start makes a certificate authority, a client certificate and a token in the data directory; only you
can read them, and the kubeconfig carries them. To talk to the cluster:
  export KUBECONFIG=.rollcall/kubeconfig
  kubectl get namespaces

Examples:
  rollcall up
  rollcall up --memory --port 0 --kubeconfig /tmp/kubeconfig
  rollcall up --nodes 3 --autoscale 3..10   up to ten nodes, as pods need them
  rollcall up --node-file nodes.yaml --stages stages/
  rollcall up --speed 60                    an hour passes in a minute
  rollcall up --paused --seed 1             then: rollcall step 10m
  rollcall up --feature-gates=ExtendedWorkloadConditions=false`
