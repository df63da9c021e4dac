// `rollcall controllers`: the workload controllers on a real cluster.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import { addElectedFlags, address, type ElectedFlags } from './elected-flags.ts'
import { evictionTimeoutOption, featureGateOption, ListOption, nameList, positiveNumber } from './flag-values.ts'
import { controllerNames } from './generated/controller-names.ts'
import { lazyAction } from './lazy-action.ts'

export interface ControllersOptions extends ElectedFlags {
  readonly controllers: readonly string[]
  readonly featureGates: FeatureGates
  readonly workers?: number
  readonly preflight: boolean
  readonly evictions?: boolean
  readonly evictionTimeout: number
  readonly webhookName: string
  readonly webhookAddress: { readonly host: string; readonly port: number }
  readonly webhookHosts?: readonly string[]
}

export function addControllersCommand(program: Command): void {
  addElectedFlags(program.command('controllers'), 'rollcall-controllers')
    .summary('run the workload controllers on a real cluster, in place of the built-in ones')
    .description(
      'Run the controllers for Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs and CronJobs with any Kubernetes API server. The built-in controllers must be off: the command checks this first. Replicas elect a leader.',
    )
    .addOption(
      new ListOption('--controllers <names>', 'which controllers to run, separated by commas', controllerNames)
        .default([...controllerNames], 'all')
        .argParser(readControllers),
    )
    .option('--no-preflight', 'do not check whether the built-in controllers are off')
    .option('--workers <n>', 'concurrent reconciles of each controller (default: 5)', positiveNumber)
    .addOption(featureGateOption('such as A=true,B=false; rollcall up --help lists the gates', 'as in rollcall up'))
    .option(
      '--evictions',
      'replace pods before they are evicted, for Deployments with podReplacementPolicy: TerminationComplete: serves a webhook for pods/eviction (`rollcall pacer manifests --admission none --evictions --name rollcall-controllers`)',
    )
    .addOption(evictionTimeoutOption())
    .option('--webhook-name <name>', 'the name of the Secret and the configuration of the webhook', 'rollcall-controllers')
    .addOption(
      new Option('--webhook-address <host:port>', 'where to serve the webhook')
        .default({ host: '0.0.0.0', port: 9443 }, '0.0.0.0:9443')
        .argParser(address),
    )
    .option('--webhook-hosts <names>', 'the names and addresses in the certificate of the webhook (default: that of its Service)', nameList)
    .addHelpText(
      'after',
      `
Exit code 0: stopped by a signal, after releasing the Lease. 1: the cluster did not answer, or leadership was lost. 2: a flag
or the kubeconfig is wrong. 3: built-in controllers are active.

Examples:
  rollcall controllers --dry-run                       show what it would write
  rollcall controllers --controllers deployment,replicaset
  rollcall controllers --health-address 0.0.0.0:10270  in a pod, for the kubelet's probes`,
    )
    .action(lazyAction(async () => (await import('./run-controllers.ts')).runControllers))
}

function readControllers(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names)
    if (!controllerNames.includes(name))
      throw new InvalidArgumentError(`There is no controller "${name}". The controllers are ${controllerNames.join(', ')}.`)
  return [...new Set(names)]
}
