// `rollcall explain`: why a workload or pod of any cluster does not continue, and what happens next.
import type { Command } from 'commander'
import { type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface ExplainOptions extends OutputOption {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
}

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .summary('explain what a workload or pod of any cluster waits for, and what happens next')
    .description(
      'Explain what a Deployment, ReplicaSet, StatefulSet, DaemonSet, Job or pod waits for, down to the pod and its finalizer, preStop hook, node, image, quota or budget, and what its controller does next. Works with any cluster, also where the controllers of Kubernetes run: of a Deployment without a policy it adds what TerminationComplete or the pacer would do. It only gets and lists, and changes nothing in the cluster.',
    )
    .argument('<workload>', 'such as deployment/web or pod/web-0')
    .option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .option('-n, --namespace <name>', 'the namespace (default: that of the context, or default)')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exit code 0: it was explained. 1: the object does not exist, or the cluster did not answer. 2: a flag or the kubeconfig is wrong.

Examples:
  rollcall explain deployment/web
  rollcall explain statefulset/db -n shop
  rollcall explain pod/db-0 -n shop -o json`,
    )
    .action(lazyAction(async () => (await import('./run-explain.ts')).runExplain))
}
