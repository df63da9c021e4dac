// `rollcall simulate`: simulates the rollout of a manifest.
import { type Command, Option } from 'commander'
import { numberRanges } from '../simulate/rollout/number-ranges.ts'
import { policies } from '../simulate/rollout/result.ts'
import { append, ListOption, type OutputOption, outputOption, wholeNumber } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface SimulateCommandOptions extends OutputOption<'json' | 'yaml' | 'wide'> {
  readonly filename?: readonly string[]
  readonly to?: readonly string[]
  readonly scale?: readonly string[]
  readonly policies?: string
  readonly nodes?: string
  readonly autoscale?: string | true
  readonly price?: readonly string[]
  readonly compare?: readonly string[]
  readonly advise?: boolean
  readonly startup?: string
  readonly stop?: string
  readonly timing?: string
  readonly load?: readonly string[]
  readonly capacity?: readonly string[]
  readonly fault?: readonly string[]
  readonly drain?: string
  readonly oneByOne?: boolean
  readonly seed?: number
  readonly runs?: number
  readonly within?: string
  readonly strict?: boolean
  readonly exact?: boolean
  readonly expect?: readonly string[]
  readonly workers?: number
  readonly report?: string
  /** The file to write the JSON to. `true` is the earlier spelling of `-o json`. */
  readonly json?: string | true | undefined
  readonly junit?: string
  readonly markdown?: string
  readonly trace?: string
  readonly fromCluster?: boolean
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly config?: string
}

export function addSimulateCommand(program: Command): void {
  program
    .command('simulate')
    .summary('simulate a rollout in virtual time under each policy, and compare')
    .description(
      'Simulate a rollout or a scale in virtual time, once for each pod replacement policy, and compare how many pods and nodes it needs, how long it takes, and how many pods stay available. Nothing outside this process is changed.',
    )
    .argument('[file...]', 'the same as -f: manifests, or a scenario')
    .optionsGroup('What to simulate:')
    .addOption(repeatable('-f, --filename <file>', 'manifests: a file, a directory, - for stdin, or a scenario; can be repeated'))
    .addOption(
      repeatable(
        '--to <change>',
        'what to roll out: image=web:2, container=image, restart (as kubectl rollout restart, of all workloads),\nrestart=web, or a file with new manifests',
      ),
    )
    .addOption(repeatable('--scale <list>', 'numbers of replicas and their times: 3@1m,12@5m; web=12@5m with several workloads'))
    .optionsGroup('Under which conditions:')
    .addOption(
      new ListOption(
        '--policies <list>',
        `all, or some of ${policies.join(', ')} (default: None, which is a released Kubernetes, and Pacer, which is the same with rollcall pacer next to it; with --from-cluster, or where a manifest has a policy, also the field; of a drain, None and Pacer+evictions)`,
        [...policies, 'all'],
      ),
    )
    .option(
      '--nodes <list>',
      "the nodes: 5x4cpu16Gi, '3x4cpu16Gi[zones=a/b/c],2x8cpu32Gi[disk=ssd,dedicated=db:NoSchedule]', or a file (default: enough for all pods)",
    )
    .option('--autoscale [min..max]', 'add and remove nodes as pods need them')
    .addOption(repeatable('--price <size=amount>', 'the price of a node for an hour: 4cpu16Gi=0.19/h; can be repeated'))
    .addOption(
      repeatable(
        '--compare <setting=values>',
        'compare combinations of settings: maxSurge=0,25%,50% maxUnavailable=0,1 preStop=5s,30s;\nalso gracePeriod, minReadySeconds, policy=None,Pacer',
      ),
    )
    .option('--advise', 'search for the settings that meet the expectations with the fewest nodes and in the least time')
    .option('--startup <duration>', 'how long a pod takes from scheduled to ready: 20s, or 20s±5s (also 20s+-5s)')
    .option('--stop <duration>', 'how long a deleted pod takes to terminate, limited by its grace period')
    .option('--timing <file>', 'how long the pods of each workload take, as rollcall record --learn writes it')
    .addOption(
      repeatable(
        '--load <load>',
        "what a workload has to serve: '100rps, 400rps@2m..10m', '60%, 90%@5m', or a CSV file;\nautoscalers react to it; web=100rps with several workloads",
      ),
    )
    .addOption(repeatable('--capacity <rps>', 'the requests a second that a pod serves at most, such as 50rps'))
    .option(
      '--drain <nodes>',
      'drain nodes, as kubectl drain does: node-1, or pool=a for all nodes with this label; without and with surge before eviction',
    )
    .option('--one-by-one', 'drain one node after the other; each comes back before the next one')
    .addOption(repeatable('--fault <fault>', 'node-2:down@3m..8m, node-2:drain@3m, web:evict=3@1m, web:crash@2m; can be repeated'))
    .optionsGroup('Runs and expectations:')
    .option('--seed <n>', 'the seed for everything that is random (default: 1)', wholeNumber(...numberRanges.seed))
    .option('--runs <n>', 'the number of runs, each with its own seed; gives percentiles (default: 1)', wholeNumber(...numberRanges.runs))
    .option(
      '--within <duration>',
      'a rollout that has not ended after this time, with the termination of its pods, has failed (default: 1h)',
    )
    .addOption(
      repeatable(
        '--expect <expression>',
        "what must hold: 'peakPods <= 13', 'completesWithin 10m', 'availability >= 90%'; can be repeated",
      ),
    )
    .option('--exact', 'compute the changes of pods to the millisecond, also of more than 100 pods, which takes some three times as long')
    .option('--strict', 'refuse manifests whose pods need objects that no manifest contains, instead of assuming these objects')
    .option(
      '--workers <n>',
      'the number of additional threads (default: as many as are worth starting)',
      wholeNumber(...numberRanges.workers),
    )
    .optionsGroup('Output:')
    .addOption(outputOption(['json', 'yaml', 'wide']))
    .option('--report <file>', 'write charts and numbers to one HTML file')
    .option('--json [file]', 'write everything as JSON to a file')
    .option('--junit <file>', 'write the results of the expectations as JUnit XML')
    .option('--markdown <file>', 'write the table, the advice and a chart as Markdown, for a comment on a pull request')
    .option('--trace <file>', 'write a trace for rollcall replay, one file for each policy')
    .optionsGroup('A live cluster:')
    .option(
      '--from-cluster',
      'read the objects of -f from a live cluster: deployment/web, or deployments for all of them;\nwithout -f: which rollouts of the namespace (or of all, with -A) exceed their cap, and what nodes they add',
    )
    .option('--kubeconfig <file>', 'how to reach that cluster (default: $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .option('-n, --namespace <name>', 'the namespace of the live objects (default: that of the context, or default)')
    .option('-A, --all-namespaces', 'all namespaces, also for all objects of a kind, such as deployments')
    .option('--config <file>', 'defaults for these flags (default: rollcall.yaml of the working directory, where there is one)')
    .addHelpText(
      'after',
      `
Exit code 0: every expectation is met, and the rollout completes under each policy. 1: an expectation is not met, or the
rollout does not complete (unless an expectation is about that: --expect 'completes == false'). 2: the input is wrong.

An expectation compares a measure (peakPods, cap, peakOverCap, availableAfter, oldGoneAfter, completeAfter, completes,
drainedAfter, availability, podSeconds, peakNodes, nodeMinutes, cost, waitedForRoom, matchedNoNode, deadlinesPassed, peakWaiting,
neededDeadline, lostLoad, lostRequests, smallestSize, largestSize, rescales, oscillations) by <= >= == != < > with a number, a duration, a percentage or another measure. An expectation for
one policy begins with its name: 'TerminationComplete: peakOverCap == 0'.

Examples:
  rollcall simulate --from-cluster -A
  rollcall simulate -f web.yaml --to image=web:2 --stop 45s±15s
  rollcall simulate -f web.yaml --scale 3@1m,12@5m --nodes 3x4cpu16Gi --autoscale 3..6
  rollcall simulate -f web.yaml --to image=web:2 --compare maxSurge=0,25%,50% maxUnavailable=0,1
  rollcall simulate -f web.yaml --to image=web:2 --advise --expect 'peakPods <= 13'
  rollcall simulate -f web.yaml --nodes '3x4cpu16Gi[pool=a]' --drain pool=a --one-by-one --expect 'availability >= 100%'
  rollcall simulate scenario.yaml --runs 100 --junit results.xml`,
    )
    .action(lazyAction(async () => (await import('./run-simulate.ts')).runSimulate))
}

const repeatable = (flags: string, description: string) => new Option(flags, description).argParser(append)
