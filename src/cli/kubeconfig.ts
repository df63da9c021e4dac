// `rollcall kubeconfig`: prints a kubeconfig for another user of a cluster.
import { type Command, Option } from 'commander'
import { type FolderOptions, withFolder } from './cluster-folder.ts'
import { append } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface KubeconfigOptions extends FolderOptions {
  readonly user: string
  readonly group?: readonly string[]
}

export function addKubeconfigCommand(program: Command): void {
  withFolder(program.command('kubeconfig'))
    .summary('print a kubeconfig for another user')
    .description(
      'Print a kubeconfig with a new client certificate, signed by the authority of the cluster. The user has the permissions that roles grant to its name and its groups; rollcall up writes a kubeconfig for an administrator.',
    )
    .addOption(new Option('--user <name>', 'the name of the user').makeOptionMandatory())
    .option('--group <name>', 'a group that the user belongs to; can be repeated', append)
    .addHelpText(
      'after',
      `
Examples:
  rollcall kubeconfig --user alice --group developers > alice.kubeconfig
  kubectl create rolebinding developers --clusterrole=edit --group=developers
  kubectl --kubeconfig alice.kubeconfig auth can-i --list`,
    )
    .action(lazyAction(async () => (await import('./run-kubeconfig.ts')).runKubeconfig))
}
