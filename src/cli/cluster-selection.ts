// The flags by which a command that only reads selects workloads of any cluster.
import { type Command, Option } from 'commander'

export interface SelectionOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly selector?: string
}

export const withSelection = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .option('-n, --namespace <name>', 'the namespace (default: that of the context, or default)')
    .addOption(new Option('-A, --all-namespaces', 'all namespaces').conflicts('namespace'))
    .option('-l, --selector <labels>', 'only workloads with these labels, such as app=web')
