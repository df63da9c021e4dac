// `rollcall envtest assets`: stand-ins for the programs that tests of operators (controller-runtime's envtest) start.
import type { Command } from 'commander'
import { type OutputOption, outputOption } from './flag-values.ts'

export function addEnvtestCommand(program: Command): void {
  const envtest = program
    .command('envtest')
    .summary("run an operator's envtest suites on Rollcall")
    .description("Let controller-runtime's envtest start Rollcall in place of kube-apiserver and etcd.")
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  envtest
    .command('assets')
    .argument('<dir>', 'the directory to write to')
    .summary('write stand-ins for kube-apiserver, etcd and kubectl')
    .description(
      'Write programs named kube-apiserver, etcd and kubectl to a directory, for KUBEBUILDER_ASSETS. They start Rollcall with the same flags; flags that it does not know are accepted with a note.',
    )
    .addOption(outputOption())
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
By default no controllers run, as with envtest. The environment variable ROLLCALL_CONTROLLERS of the tests starts them: "all" (with simulated nodes,
so that pods run), or a list such as garbage-collector,namespace,deployment,replicaset,nodes.

Examples:
  rollcall envtest assets ./assets
  KUBEBUILDER_ASSETS=$PWD/assets go test ./...
  rollcall envtest assets ./assets -o json
  ROLLCALL_CONTROLLERS=all KUBEBUILDER_ASSETS=$PWD/assets go test ./...`,
    )
    .action(async (dir: string, options: OutputOption) => {
      const { writeAssets } = await import('./run-envtest.ts')
      await writeAssets(dir, options)
    })
  // Started by the stand-ins.
  for (const name of ['kube-apiserver', 'etcd'] as const)
    envtest
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .helpOption(false)
      .argument('[flags...]')
      .action(async (flags: readonly string[]) => {
        const { runApiServer, runEtcd } = await import('./run-envtest.ts')
        await (name === 'etcd' ? runEtcd(flags) : runApiServer(flags))
      })
}
