// `rollcall kubeconfig`: prints the kubeconfig of a cluster, or one for another user.
import type { Command } from 'commander'
import { type FolderOptions, withFolder } from './cluster-folder.ts'
import { append } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface KubeconfigOptions extends FolderOptions {
  readonly user?: string
  readonly group?: readonly string[]
}

export function addKubeconfigCommand(program: Command): void {
  withFolder(program.command('kubeconfig'))
    .summary('print the kubeconfig of a cluster, or one for another user')
    .description(
      'Print the kubeconfig that rollcall up wrote, for an administrator. With --user, print one with a new client certificate, signed by the authority of the cluster: the user has the permissions that roles grant to its name and its groups.',
    )
    .option('--user <name>', 'the name of another user')
    .option('--group <name>', 'a group that this user belongs to; can be repeated', append)
    .addHelpText(
      'after',
      `
Examples:
  rollcall kubeconfig --name team-a > team-a.kubeconfig
  rollcall kubeconfig --user alice --group developers > alice.kubeconfig
  kubectl create rolebinding developers --clusterrole=edit --group=developers
  kubectl --kubeconfig alice.kubeconfig auth can-i --list`,
    )
    .action(lazyAction(async () => (await import('./run-kubeconfig.ts')).runKubeconfig))
}
