// `rollcall count`: the pods of every workload of a cluster, terminating ones included.
import type { Command } from 'commander'
import { type SelectionOptions, withSelection } from './cluster-selection.ts'
import { type OutputFormat, type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface CountOptions extends SelectionOptions, OutputOption<OutputFormat> {
  readonly watch?: boolean
}

export function addCountCommand(program: Command): void {
  const command = program
    .command('count')
    .summary('count the pods of the workloads of any cluster, terminating ones included')
    .description(
      'Count the pods that each workload has at this moment, also those that are terminating, and compare them with its cap of replicas + maxSurge. It only gets, lists and watches, and changes nothing in the cluster.',
    )
    .argument('[workload...]', 'only these workloads, such as deployment/web or statefulset/db (default: all of the namespace)')
  withSelection(command)
    .option('-w, --watch', 'continue to print until Ctrl-C: on a terminal the whole table, otherwise the rows that changed')
    .addOption(outputOption(['json', 'yaml', 'wide', 'name']))
    .addHelpText(
      'after',
      `
PODS counts all pods that have not ended, terminating ones included. READY and OLD, which counts pods of an earlier revision, leave terminating pods out. OVER CAP counts the pods beyond replicas + maxSurge.

Exit code 0: counted. 1: the cluster did not answer, or a named workload does not exist. 2: a flag or the kubeconfig is wrong.

Examples:
  rollcall count
  rollcall count -A
  rollcall count deployment/web -n shop --watch
  kubectl rollcall count -A -o json`,
    )
    .action(lazyAction(async () => (await import('./run-count.ts')).runCount))
}
