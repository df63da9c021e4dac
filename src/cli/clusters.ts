// `rollcall status`, `rollcall down`, `rollcall logs`: the clusters that `rollcall up` started on this machine.
import type { Command } from 'commander'
import { type FolderOptions, withFolder } from './cluster-folder.ts'
import { type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export type StatusOptions = FolderOptions & OutputOption<'json' | 'yaml' | 'name'>

export interface DownOptions extends FolderOptions, OutputOption {
  readonly all?: boolean
  readonly deleteData?: boolean
  readonly quiet?: boolean
}

export interface LogsOptions extends FolderOptions {
  readonly follow?: boolean
}

export function addClusterCommands(program: Command): void {
  withFolder(program.command('status'))
    .summary('show which clusters are running')
    .description('Show the cluster of this directory and all named clusters. With --name or --data-dir, only that one.')
    .addOption(outputOption(['json', 'yaml', 'name']))
    .addHelpText(
      'after',
      `
Exit code 0, and 1 where the cluster of --name or --data-dir is not running.

Examples:
  rollcall status
  rollcall status --name team-a -o json`,
    )
    .action(lazyAction(async () => (await import('./run-clusters.ts')).runStatus))

  withFolder(program.command('down'))
    .summary('stop a cluster')
    .description(
      'Stop the cluster of this directory, or a named one, and remove its context from your kubeconfig. Its objects are kept for the next rollcall up, unless it ran with --memory.',
    )
    .option('--all', 'stop the cluster of this directory and all named clusters')
    .option('--delete-data', 'also delete the objects and credentials of the cluster')
    .option('-q, --quiet', 'print errors only')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  rollcall down
  rollcall down --name team-a --delete-data`,
    )
    .action(lazyAction(async () => (await import('./run-clusters.ts')).runDown))

  withFolder(program.command('logs'))
    .summary('print the output of a detached cluster')
    .description('Print what a cluster in the background has written: its start, and one line for each failure.')
    .option('-f, --follow', 'continue to print until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  rollcall logs
  rollcall logs --name team-a --follow`,
    )
    .action(lazyAction(async () => (await import('./run-clusters.ts')).runLogs))
}
