// `rollcall simulate`: what a rollout will do, from its manifest.
import { type Command, InvalidArgumentError, Option } from 'commander'

export interface SimulateCommandOptions {
  readonly filename?: readonly string[]
  readonly to?: readonly string[]
  readonly scale?: readonly string[]
  readonly policies?: string
  readonly nodes?: string
  readonly autoscale?: string | true
  readonly startup?: string
  readonly stop?: string
  readonly fault?: readonly string[]
  readonly seed?: number
  readonly runs?: number
  readonly within?: string
  readonly expect?: readonly string[]
  readonly workers?: number
  readonly report?: string
  readonly json?: string | true
  readonly junit?: string
  readonly trace?: string
  readonly fromCluster?: boolean
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
}

export function addSimulateCommand(program: Command): void {
  program
    .command('simulate')
    .summary('play a rollout in virtual time under each policy, and compare')
    .description(
      'Play a rollout or a scaling in virtual time, once for each pod replacement policy, and compare:\nhow many pods and nodes it takes, for how long, and what is available meanwhile. Nothing outside\nof this process is touched.',
    )
    .argument('[file...]', 'the same as -f: manifests, or a scenario')
    .addOption(many('-f, --filename <file>', 'manifests: a file, a directory, - for stdin, or a scenario; several times'))
    .addOption(many('--to <change>', 'what to roll out: image=web:2, container=image, or a file with new manifests'))
    .addOption(many('--scale <list>', 'replicas and when: 3@1m,12@5m; web=12@5m with several workloads'))
    .addOption(
      new Option(
        '--policies <list>',
        'all, or some of None, TerminationStarted, TerminationComplete,\nTerminationComplete+terminatingAsActive (default: all)',
      ),
    )
    .addOption(new Option('--nodes <list>', 'the nodes: 5x4cpu16Gi, or 3x4cpu16Gi,2x8cpu32Gi (default: room for all)'))
    .addOption(new Option('--autoscale [min..max]', 'let nodes come and go as pods need them'))
    .addOption(new Option('--startup <length>', 'from scheduled to ready: 20s, or 20s±5s (also 20s+-5s)'))
    .addOption(new Option('--stop <length>', 'from the deletion of a pod to its end; the grace period ends it at the latest'))
    .addOption(many('--fault <fault>', 'node-2:down@3m..8m, node-2:drain@3m, web:evict=3@1m, web:crash@2m; several times'))
    .addOption(new Option('--seed <n>', 'everything that is drawn is drawn from it (default: 1)').argParser(wholeNumber(0, 2 ** 31)))
    .addOption(new Option('--runs <n>', 'play it with so many seeds, and give percentiles (default: 1)').argParser(wholeNumber(1, 10_000)))
    .addOption(new Option('--within <length>', 'a rollout that is not complete by then has failed (default: 1h)'))
    .addOption(
      many('--expect <expression>', "what must hold: 'peakPods <= 13', 'completesWithin 10m', 'availability >= 90%'; several times"),
    )
    .addOption(new Option('--workers <n>', 'how many threads beside the first (default: as many as pay)').argParser(wholeNumber(0, 64)))
    .addOption(new Option('--report <file>', 'write the pictures and numbers as one HTML file'))
    .addOption(new Option('--json [file]', 'write everything as JSON, in place of the table or to a file'))
    .addOption(new Option('--junit <file>', 'write the expectations as JUnit XML'))
    .addOption(new Option('--trace <file>', 'write what happened, for rollcall replay; one file for each policy'))
    .addOption(new Option('--from-cluster', 'take -f as live objects of a cluster, such as deployment/web'))
    .addOption(new Option('--kubeconfig <file>', 'of that cluster (default: $KUBECONFIG, or ~/.kube/config)'))
    .addOption(new Option('--context <name>', 'of the kubeconfig (default: the current one)'))
    .addOption(new Option('-n, --namespace <name>', "of the live objects (default: the context's, or default)"))
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: every expectation is met, and under each policy it completes. 1: an expectation is not met, or it does
not complete (unless an expectation speaks of that: --expect 'completes == false'). 2: the input is wrong.

What can be expected: peakPods, cap, peakOverCap, availableAfter, oldGoneAfter, completeAfter,
completes, availability, podSeconds, peakNodes, nodeMinutes, waitedForRoom, matchedNoNode, deadlinesPassed; with
<= >= == != < >, and a number, a duration, a percentage or another of these.
For one policy: 'TerminationComplete: peakOverCap == 0'.

Examples:
  rollcall simulate -f web.yaml --to image=web:2 --stop 45s±15s
  rollcall simulate -f web.yaml --scale 3@1m,12@5m --nodes 3x4cpu16Gi --autoscale 3..6
  rollcall simulate scenario.yaml --runs 100 --junit results.xml`,
    )
    .action(async (files: readonly string[], options: SimulateCommandOptions) => {
      const { runSimulate } = await import('./run-simulate.ts')
      process.exitCode = await runSimulate(files, options)
    })
}

const many = (flags: string, about: string) =>
  new Option(flags, about).argParser((text: string, before: readonly string[] = []) => [...before, text])

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most)) throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  return value
}
