// The command line as a tree of commands. Each command has a file of its own, and its implementation is loaded when it is called.
import { basename } from 'node:path'
import { Command, Help, Option } from 'commander'
import { kubernetes } from '../api/machinery/kubernetes-version.ts'
import { didYouMean } from '../base/closest-name.ts'
import { groupBy } from '../base/maps.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { addChaosCommand } from './chaos.ts'
import { addClusterCommands } from './clusters.ts'
import { addReferenceCommand } from './command-reference.ts'
import { addCompletionCommand } from './completion.ts'
import { addControllersCommand } from './controllers.ts'
import { addCountCommand } from './count.ts'
import { addDashboardCommand } from './dashboard.ts'
import { addEnvtestCommand } from './envtest.ts'
import { errorLine, printHint, usageError } from './error-line.ts'
import { addExplainCommand } from './explain.ts'
import { type OutputOption, outputOption, printData } from './flag-values.ts'
import { allCommands, helpWidth, wrapHelp } from './help-layout.ts'
import { addKubeconfigCommand } from './kubeconfig.ts'
import { addNodesCommand } from './nodes.ts'
import { addPacerCommand } from './pacer.ts'
import { addRecordCommand } from './record.ts'
import { addReplayCommand } from './replay.ts'
import { addSaveCommand } from './save.ts'
import { addSimulateCommand } from './simulate.ts'
import { addTimeCommands } from './step.ts'
import { addStoreCommand } from './store.ts'
import { addSwarmCommand } from './swarm.ts'
import { addTortureCommand } from './torture.ts'
import { addUpCommand } from './up.ts'
import { addWaitCommand } from './wait.ts'

/** `file`: the file that was called. kubectl runs `kubectl-rollcall` on the PATH as `kubectl rollcall`. */
export function createProgram(columns: number | undefined, file = 'rollcall'): Command {
  const width = helpWidth(columns)
  const program = new Command(/^kubectl-rollcall\b/.test(basename(file)) ? 'kubectl rollcall' : 'rollcall')
    .description(
      'A Kubernetes workload control plane in one process that counts every pod, terminating ones included: a cluster for your laptop, your tests and your CI.',
    )
    .version(rollcallVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({
      writeOut: (text) => void process.stdout.write(wrapHelp(text, width)),
      outputError: (text, write) =>
        write(errorLine(`${errorLine(text.replace(/^error: /, '')).slice(7, -1)} Run it with --help for usage.`)),
    })
    .configureHelp({ helpWidth: width, sortSubcommands: false })
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  rollcall simulate -f web.yaml --to image=web:2
  rollcall simulate --from-cluster -f deployment/web --to image=web:2
  rollcall count -A                  count every pod of a cluster, terminating ones included
  rollcall up                        start a cluster with its data in ./.rollcall
  rollcall up --detach               start it in the background; then rollcall status, logs, down
  export KUBECONFIG=.rollcall/kubeconfig && kubectl get namespaces

More commands, for rarer tasks: rollcall commands`,
    )

  program.commandsGroup('A rollout, before, during and after:')
  addSimulateCommand(program)
  addCountCommand(program)
  addWaitCommand(program)
  addExplainCommand(program)
  addDashboardCommand(program)
  program.commandsGroup('A cluster on this machine:')
  addUpCommand(program)
  addClusterCommands(program)
  addKubeconfigCommand(program)
  addSaveCommand(program)
  addChaosCommand(program)
  program.commandsGroup('The proposals on a real cluster:')
  addPacerCommand(program)
  addControllersCommand(program)
  program.commandsGroup('Tests of your own controller:')
  addTortureCommand(program)
  addEnvtestCommand(program)
  program.commandsGroup('Recordings:')
  addRecordCommand(program)
  addReplayCommand(program)
  program.commandsGroup('The time of a cluster on this machine:')
  addTimeCommands(program)
  program.commandsGroup('Tools:')
  addNodesCommand(program)
  addSwarmCommand(program)
  addStoreCommand(program)
  addCompletionCommand(program)
  addVersionCommand(program)
  addCommandsCommand(program)
  program.helpCommand('help [command]', 'print the help of a command')
  addReferenceCommand(program)

  for (const command of allCommands(program)) {
    addSharedFlags(command)
    if (command.commands.length > 0) refuseUnknownCommands(command)
  }
  program.hook('preAction', (_, command) => {
    const { verbose, json } = command.opts()
    if (verbose) process.env['ROLLCALL_DEBUG'] = '1'
    if (json === true) {
      printHint('--json is written -o json now')
      command.setOptionValue('output', 'json')
    }
  })
  return program
}

const rareCommands = ['record', 'replay', 'step', 'pause', 'resume', 'nodes', 'swarm', 'store', 'completion', 'commands']

/** `rollcall commands`: the second page of the help. The first one leaves out what most users do not need. */
function addCommandsCommand(program: Command): void {
  program.configureHelp({
    ...program.configureHelp(),
    visibleCommands: (command) => {
      const visible = new Help().visibleCommands(command)
      return command === program ? visible.filter((one) => !rareCommands.includes(one.name())) : visible
    },
  })
  program
    .command('commands')
    .summary('list every command')
    .description('List every command, also those that the help leaves out.')
    .addHelpText('after', '\nExample:\n  rollcall commands')
    .action(() => {
      const help = new Help()
      const every = help.visibleCommands(program)
      const width = Math.max(...every.map((one) => one.name().length))
      const groups = groupBy(every, (one) => one.helpGroup() || 'Help:')
      const lines = [...groups].flatMap(([group, own]) => [
        '',
        group,
        ...own.map((one) => `  ${one.name().padEnd(width)}  ${help.subcommandDescription(one)}`),
      ])
      program.configureOutput().writeOut?.(`${lines.slice(1).join('\n')}\n`)
    })
}

/** Of a command that does something without a subcommand, such as pacer. Commander would report too many arguments. */
function refuseUnknownCommands(command: Command): void {
  command.allowExcessArguments(true).hook('preAction', (_, called) => {
    const [name] = called.args
    if (called !== command || name === undefined) return
    const known = command.commands.map((one) => one.name())
    throw usageError(
      `unknown command '${name}' of rollcall ${command.name()}.${didYouMean(name, known) || ` Choose one of ${known.join(', ')}.`}`,
    )
  })
}

/** Every command prints details with --verbose, and one with --output accepts the earlier --json. */
function addSharedFlags(command: Command): void {
  command.optionsGroup('Options:')
  command.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Options:'))
  const has = (long: string) => command.options.some((option) => option.long === long)
  if (has('--output') && !has('--json')) command.addOption(new Option('--json', 'the same as -o json').hideHelp())
  if (!has('--verbose')) command.option('--verbose', 'print details, and the stack traces of errors')
}

// `rollcall version`: the version of Rollcall, of the API that it serves, and of Node.js.
function addVersionCommand(program: Command): void {
  program
    .command('version')
    .summary('print the versions of Rollcall, its API and Node.js')
    .addHelpText('after', '\nExample:\n  rollcall version -o json')
    .addOption(outputOption())
    .action(async ({ output }: OutputOption) => {
      const versions = { rollcall: rollcallVersion, kubernetes: kubernetes.version, node: process.versions.node }
      if (output !== undefined) return printData(versions, output)
      process.stdout.write(`rollcall ${versions.rollcall}\nKubernetes API ${versions.kubernetes}\nNode.js ${versions.node}\n`)
    })
}
