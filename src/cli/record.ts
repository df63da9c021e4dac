// `rollcall record`: records a rollout of a cluster as a trace.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseLengthMs } from '../simulate/rollout/lengths.ts'
import { lazyAction } from './lazy-action.ts'

export interface RecordOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly selector?: string
  /** Milliseconds. */
  readonly for?: number
  readonly untilComplete?: string | true
  readonly output?: string
  /** Where to write how long pods take. */
  readonly learn?: string
}

export function addRecordCommand(program: Command): void {
  program
    .command('record')
    .summary('record a rollout of any cluster, to replay it or to compare it with its simulation')
    .description(
      'Watch workloads, their pods and the nodes of a cluster, and write the changes to a file. It only gets, lists and watches, and changes nothing in the cluster. It ends with Ctrl-C, after --for, or with --until-complete.',
    )
    .argument('[workload...]', 'only these workloads, such as deployment/web or statefulset/db (default: all of the namespace)')
    .option('-o, --output <file>', 'where to write the trace')
    .option(
      '--learn <file>',
      'write how long pods take to start, stop and pull, for simulate --timing; without -o, from the pods\nand events that there are',
    )
    .option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .option('-n, --namespace <name>', 'the namespace (default: that of the context, or default)')
    .addOption(new Option('-A, --all-namespaces', 'all namespaces').conflicts('namespace'))
    .option('-l, --selector <labels>', 'only workloads with these labels, such as app=web')
    .option('--for <duration>', 'end after this time, such as 90s or 10m', duration)
    .option('--until-complete [workload]', 'end when a rollout has started and completed, and the last old pod has terminated')
    .addHelpText(
      'after',
      `
Exit code 0: the files are written, also after Ctrl-C. 1: the cluster did not answer, none of the named workloads exists or is created within 5 minutes, or --learn found no pod that became ready or terminated. 2: a flag or the kubeconfig is wrong.

Examples:
  rollcall record deployment/web --until-complete -o web.json & kubectl set image deployment/web web=nginx:2
  rollcall record -n shop --for 10m -o shop.json
  rollcall replay web.json --report web.html
  rollcall record deployment/web --learn timing.yaml`,
    )
    .action(lazyAction(async () => (await import('./run-record.ts')).runRecord))
}

const duration = (text: string) => {
  const ms = parseLengthMs(text)
  if (ms === undefined || ms === 0) throw new InvalidArgumentError('Give a duration such as 90s or 10m.')
  return ms
}
