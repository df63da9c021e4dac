// `rollcall save`: writes all objects of a cluster to a file, which `rollcall up --from` starts from.
import { type Command, Option } from 'commander'
import { type FolderOptions, withFolder } from './cluster-folder.ts'
import { lazyAction } from './lazy-action.ts'

export interface SaveOptions extends FolderOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly secrets?: 'keep' | 'redact'
}

export function addSaveCommand(program: Command): void {
  withFolder(program.command('save'))
    .summary('save all objects of a cluster to a file, for rollcall up --from')
    .description(
      'Write every object of a cluster to a file: of the cluster of this directory or a named one, running or stopped, as of one revision; with --context or --kubeconfig, of any cluster, as far as you may list its objects. It changes nothing in the cluster. rollcall up --from starts a cluster from the file, with the same uids, owners, statuses and resourceVersions.',
    )
    .argument('<file>', 'where to write: JSON lines, compressed where the name ends in .gz; - is the standard output')
    .option('--context <name>', 'save the cluster of this context of the kubeconfig')
    .option('--kubeconfig <file>', 'save the cluster of this kubeconfig')
    .addOption(
      new Option(
        '--secrets <how>',
        'whether the values of Secrets are in the file (default: keep; redact for a cluster of others)',
      ).choices(['keep', 'redact']),
    )
    .addHelpText(
      'after',
      `
Exit code 0: the file is written. 1: the cluster cannot be read. 2: a flag, the kubeconfig or the file is wrong.

Examples:
  rollcall save web.snapshot
  rollcall up --name copy --from web.snapshot
  rollcall save --name team-a --secrets redact bug.snapshot.gz
  rollcall save --context staging staging.snapshot.gz`,
    )
    .action(lazyAction(async () => (await import('./run-save.ts')).runSave))
}
