// `rollcall wait`: waits for the end of a rollout, the termination of its old pods included.
import type { Command } from 'commander'
import { type SelectionOptions, withSelection } from './cluster-selection.ts'
import { duration } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface WaitOptions extends SelectionOptions {
  /** Milliseconds. */
  readonly timeout?: number
  readonly quiet?: boolean
}

export function addWaitCommand(program: Command): void {
  const command = program
    .command('wait')
    .summary('wait until rollouts of any cluster are complete and the last old pod has terminated')
    .description(
      'Wait until each workload is complete, no pod of an earlier revision is left, and none is terminating. kubectl rollout status ends earlier, while old pods still run. It only gets, lists and watches, and changes nothing in the cluster.',
    )
    .argument('[workload...]', 'such as deployment/web or job/import (default: all workloads of the namespace)')
  withSelection(command)
    .option('--timeout <duration>', 'give up after this time, such as 90s or 10m (default: never)', duration)
    .option('-q, --quiet', 'print errors only')
    .addHelpText(
      'after',
      `
Exit code 0: all are complete. 1: the timeout or the progress deadline of a workload has passed, a Job has failed, a named workload does not exist or was deleted, or the cluster did not answer. 2: a flag or the kubeconfig is wrong. 130: Ctrl-C.

Examples:
  rollcall wait deployment/web --timeout 10m
  rollcall wait -n shop -l app=web
  kubectl rollcall wait job/import`,
    )
    .action(lazyAction(async () => (await import('./run-wait.ts')).runWait))
}
