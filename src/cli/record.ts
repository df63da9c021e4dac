// `rollcall record`: records a rollout of a cluster as a trace.
import { type Command, Option } from 'commander'
import { type SelectionOptions, withSelection } from './cluster-selection.ts'
import { duration } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface RecordOptions extends SelectionOptions {
  /** Milliseconds. */
  readonly for?: number
  readonly untilComplete?: string | true
  readonly trace?: string | undefined
  /** The earlier spelling of `trace`. */
  readonly output?: string
  /** Where to write how long pods take. */
  readonly learn?: string
}

export function addRecordCommand(program: Command): void {
  const command = program
    .command('record')
    .summary('record a rollout of any cluster, to replay it or to compare it with its simulation')
    .description(
      'Watch workloads, their pods and the nodes of a cluster, and write the changes to a file. It only gets, lists and watches, and changes nothing in the cluster. It ends with Ctrl-C, after --for, or with --until-complete.',
    )
    .argument('[workload...]', 'only these workloads, such as deployment/web or statefulset/db (default: all of the namespace)')
    .option('--trace <file>', 'where to write the trace')
    .addOption(new Option('-o, --output <file>', 'the same as --trace').hideHelp())
    .option(
      '--learn <file>',
      'write how long pods take to start, stop and pull, for simulate --timing; without --trace, from the pods\nand events that there are',
    )
  withSelection(command)
    .option('--for <duration>', 'end after this time, such as 90s or 10m', duration)
    .option('--until-complete [workload]', 'end when a rollout has started and completed, and the last old pod has terminated')
    .addHelpText(
      'after',
      `
Exit code 0: the files are written, also after Ctrl-C. 1: the cluster did not answer, none of the named workloads exists or is created within 5 minutes, or --learn found no pod that became ready or terminated. 2: a flag or the kubeconfig is wrong.

Examples:
  rollcall record deployment/web --until-complete --trace web.json & kubectl set image deployment/web web=nginx:2
  rollcall record -n shop --for 10m --trace shop.json
  rollcall replay web.json --report web.html
  rollcall record deployment/web --learn timing.yaml`,
    )
    .action(lazyAction(async () => (await import('./run-record.ts')).runRecord))
}
