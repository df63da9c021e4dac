// `rollcall pacer`: terminating pods count, on any cluster, next to the built-in controllers.
import { type Command, Option } from 'commander'
import { addClusterFlags, addElectedFlags, type ElectedFlags } from './elected-flags.ts'

export type PacerOptions = ElectedFlags

export interface PacerClusterOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly output?: 'text' | 'json'
  readonly all?: boolean
}

export function addPacerCommand(program: Command): void {
  const pacer = addElectedFlags(program.command('pacer'), 'rollcall-pacer')
    .summary('hold back new pods until terminating ones have terminated, on any cluster')
    .description(
      'Remove the scheduling gate rollcall.dev/pacer from pods as soon as their workload has room: replicas + maxSurge of a\nDeployment, the size of a ReplicaSet, the parallelism of a Job, where terminating pods count. The built-in controllers are\nleft alone. A workload takes part when its pod template has the gate:\n\n  schedulingGates: [{ name: rollcall.dev/pacer }]',
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: stopped by a signal, and handed over. 1: the cluster did not answer, or leadership was lost. 2: a flag or the
kubeconfig is wrong.

Examples:
  rollcall pacer
  rollcall pacer status -A        who waits for whom, and since when
  rollcall pacer release --all    remove every gate, for example before it is uninstalled`,
    )
    .action(async (options: PacerOptions) => {
      const { runPacer } = await import('./run-pacer.ts')
      process.exitCode = await runPacer(options)
    })
  addClusterFlags(pacer.command('status'))
    .summary('who waits for whom, and since when')
    .description('List the workloads with pods that wait, and the terminating pods that they wait for. It only reads.')
    .addOption(new Option('-n, --namespace <name>', "the namespace (default: the context's, or default)"))
    .addOption(new Option('-A, --all-namespaces', 'all namespaces').conflicts('namespace'))
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .helpOption('-h, --help', 'print this help')
    .action(async (_options: PacerClusterOptions, command: Command) => {
      const { runPacerStatus } = await import('./run-pacer.ts')
      process.exitCode = await runPacerStatus(command.optsWithGlobals())
    })
  addClusterFlags(pacer.command('release'))
    .summary('remove the gate from every pod, whatever terminates')
    .description('Remove the scheduling gate of the pacer from the pods of a namespace, or of all: the way out when the pacer is gone.')
    .addOption(new Option('-n, --namespace <name>', "the namespace (default: the context's, or default)"))
    .addOption(new Option('--all', 'all namespaces').conflicts('namespace'))
    .helpOption('-h, --help', 'print this help')
    .action(async (_options: PacerClusterOptions, command: Command) => {
      const { runPacerRelease } = await import('./run-pacer.ts')
      process.exitCode = await runPacerRelease(command.optsWithGlobals())
    })
}
