// `rollcall pacer`: terminating pods count, on any cluster, next to the built-in controllers.
import { type Command, Option } from 'commander'
import { addClusterFlags, addElectedFlags, address, type ElectedFlags } from './elected-flags.ts'
import { duration, evictionTimeoutOption, nameList, type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface PacerOptions extends ElectedFlags {
  readonly admission: 'policy' | 'webhook' | 'none'
  readonly admissionName: string
  readonly webhookAddress: { readonly host: string; readonly port: number }
  readonly webhookHosts?: readonly string[]
  readonly evictions?: boolean
  readonly evictionTimeout: number
}

export interface PacerClusterOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly output?: OutputOption['output']
  readonly all?: boolean
  readonly templates?: boolean
  readonly untilQuiet?: number
}

export interface PacerWaitOptions extends PacerClusterOptions, Pick<PacerOptions, 'admissionName' | 'leaderElectResourceName'> {
  readonly leaderElectResourceNamespace?: string
  readonly timeout: number
}

export interface PacerManifestOptions {
  readonly admission: 'policy' | 'webhook' | 'none'
  readonly name: string
  readonly namespace: string
  readonly webhookUrl?: string
  readonly evictions?: boolean
}

/** It makes one request for each pod that kube-controller-manager creates: a lower limit than that one's would lengthen rollouts. */
const defaultLimits = { qps: 500, burst: 1000 }

export function addPacerCommand(program: Command): void {
  const pacer = addElectedFlags(program.command('pacer'), 'rollcall-pacer', defaultLimits)
    .summary('hold back new pods until terminating ones have terminated, on any cluster')
    .description(
      'Remove the scheduling gate rollcall.dev/pacer from pods as soon as their workload has room: replicas + maxSurge of a Deployment, the size of a ReplicaSet, the parallelism of a Job, where terminating pods count. The built-in controllers are not changed. A workload takes part when its pod template has the gate:\n\n  schedulingGates: [{ name: rollcall.dev/pacer }]\n\nWith an admission policy or webhook (`rollcall pacer manifests`), an annotation of the workload or a label of its namespace is enough:\n\n  rollcall.dev/pod-replacement-policy: TerminationComplete',
    )
    .addOption(
      new Option(
        '--admission <how>',
        'what adds the gate for the annotation and the label: a MutatingAdmissionPolicy, a webhook that is served here, or nothing',
      )
        .choices(['policy', 'webhook', 'none'])
        .default('policy'),
    )
    .option('--admission-name <name>', 'the name of the policy, or of the Secret and configuration of the webhook', 'rollcall-pacer')
    .addOption(
      new Option('--webhook-address <host:port>', 'where to serve the webhook')
        .default({ host: '0.0.0.0', port: 9443 }, '0.0.0.0:9443')
        .argParser(address),
    )
    .option('--webhook-hosts <names>', 'the names and addresses in the certificate of the webhook (default: that of its Service)', nameList)
    .option(
      '--evictions',
      'replace pods of paced Deployments before they are evicted: serves a webhook for pods/eviction (`rollcall pacer manifests --evictions`)',
    )
    .addOption(evictionTimeoutOption())
    .addHelpText(
      'after',
      `
Exit code 0: stopped by a signal, after releasing the Lease. 1: the cluster did not answer, or leadership was lost. 2: a flag or the
kubeconfig is wrong.

Examples:
  rollcall pacer
  rollcall pacer manifests | kubectl apply -f -
  rollcall pacer wait -A          until its admission is in effect
  rollcall pacer status -A        which pods wait for which, and since when
  rollcall pacer release --all    remove every gate, for example before it is uninstalled`,
    )
    .action(lazyAction(async () => (await import('./run-pacer.ts')).runPacer))
  addClusterFlags(pacer.command('status'))
    .summary('which pods wait for which, and since when')
    .addHelpText('after', '\nExample:\n  rollcall pacer status -o json')
    .description(
      'List the workloads with pods that wait and the terminating pods that they wait for, evictions that wait, and workloads whose new pods get no gate although they opted in: it creates a pod of each as a dry run. It changes nothing.',
    )
    .option('-n, --namespace <name>', "the namespace (default: the context's, or default)")
    .addOption(new Option('-A, --all-namespaces', 'all namespaces').conflicts('namespace'))
    .addOption(outputOption())
    .action(async (_options: PacerClusterOptions, command: Command) => {
      const { runPacerStatus } = await import('./run-pacer.ts')
      process.exitCode = await runPacerStatus(command.optsWithGlobals())
    })
  addClusterFlags(pacer.command('wait'))
    .summary('wait until the pacer is ready, and its admission is in effect')
    .addHelpText('after', '\nExample:\n  rollcall pacer wait -n shop --timeout 2m')
    .description(
      'Wait until a pacer leads, its admission policy is in effect in the API server, and new pods of the workloads that opted in get the gate: it creates a pod of each as a dry run. Use it after the pacer was started and after a workload has opted in, before a rollout that has to be paced. It changes nothing.',
    )
    .option('-n, --namespace <name>', "the namespace of the workloads (default: the context's, or default)")
    .addOption(new Option('-A, --all-namespaces', 'all namespaces').conflicts('namespace'))
    .addOption(new Option('--timeout <duration>', 'give up after this time, such as 90s').default(60_000, '1m').argParser(duration))
    // The pacer's parser takes these wherever they stand.
    .optionsGroup('As for the pacer:')
    .option('--admission-name <name>', 'the name of the policy (default: rollcall-pacer)')
    .option('--leader-elect-resource-name <name>', 'the name of the Lease (default: rollcall-pacer)')
    .option('--leader-elect-resource-namespace <name>', 'the namespace of the Lease (default: that of the context, or kube-system)')
    .action(async (_options: PacerWaitOptions, command: Command) => {
      const { runPacerWait } = await import('./run-pacer.ts')
      process.exitCode = await runPacerWait(command.optsWithGlobals())
    })
  addClusterFlags(pacer.command('release'))
    .summary('remove the gate from every pod, without waiting for terminating pods')
    .addHelpText('after', '\nExample:\n  rollcall pacer release')
    .description('Remove the scheduling gate of the pacer from the pods of a namespace, or of all: use it when the pacer no longer runs.')
    .option('-n, --namespace <name>', "the namespace (default: the context's, or default)")
    .addOption(new Option('--all', 'all namespaces').conflicts('namespace'))
    .option('--templates', 'take the gate out of pod templates too: workloads that have it there roll out')
    .option(
      '--until-quiet <duration>',
      'continue until no pod has had the gate for this long, for pods that are created meanwhile',
      duration,
    )
    .action(async (_options: PacerClusterOptions, command: Command) => {
      const { runPacerRelease } = await import('./run-pacer.ts')
      process.exitCode = await runPacerRelease(command.optsWithGlobals())
    })
  pacer
    .command('manifests')
    .summary('print the admission for opt-in by annotation and by label')
    .addHelpText('after', '\nExample:\n  rollcall pacer manifests | kubectl apply -f -')
    .description(
      'Print the objects that let a workload opt in by its annotation, and a namespace by its label: a MutatingAdmissionPolicy (Kubernetes 1.36), or the configuration of a webhook that the pacer serves. The chart installs the same objects.',
    )
    .addOption(new Option('--admission <how>', 'which of the two').choices(['policy', 'webhook']).default('policy'))
    .option('--name <name>', 'the name of the objects; --admission-name of the pacer', 'rollcall-pacer')
    .option('-n, --namespace <name>', 'the namespace of the pacer; --leader-elect-resource-namespace of it', 'kube-system')
    .option('--evictions', 'also the configuration of the webhook for evictions')
    .option('--webhook-url <url>', 'where the API server reaches a pacer outside the cluster (default: by its Service)')
    .action(async (_options: PacerManifestOptions, command: Command) => {
      const { printManifests } = await import('./pacer-manifests.ts')
      // Both commands have --admission and --evictions, and the pacer's parser takes them wherever they stand.
      const { admission, evictions } = command.optsWithGlobals<PacerOptions>()
      if (admission === 'none' && evictions !== true)
        command.error("error: option '--admission <how>' argument 'none' is invalid. Allowed choices are policy, webhook.")
      await printManifests({ ...command.opts<PacerManifestOptions>(), admission, evictions: evictions === true })
    })
}
