// The command line as a tree of commands. Each command has a file of its own, and its implementation is loaded when it is called.
import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { didYouMean } from '../base/closest-name.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { addChaosCommand } from './chaos.ts'
import { addClusterCommands } from './clusters.ts'
import { addReferenceCommand } from './command-reference.ts'
import { addCompletionCommand } from './completion.ts'
import { addControllersCommand } from './controllers.ts'
import { addCountCommand } from './count.ts'
import { addDashboardCommand } from './dashboard.ts'
import { addEnvtestCommand } from './envtest.ts'
import { errorLine, usageError } from './error-line.ts'
import { addExplainCommand } from './explain.ts'
import { allCommands, helpWidth, wrapHelp } from './help-layout.ts'
import { addKubeconfigCommand } from './kubeconfig.ts'
import { addNodesCommand } from './nodes.ts'
import { addPacerCommand } from './pacer.ts'
import { addRecordCommand } from './record.ts'
import { addReplayCommand } from './replay.ts'
import { addSimulateCommand } from './simulate.ts'
import { addTimeCommands } from './step.ts'
import { addStoreCommand } from './store.ts'
import { addSwarmCommand } from './swarm.ts'
import { addTortureCommand } from './torture.ts'
import { addUpCommand } from './up.ts'
import { addVersionCommand } from './version-command.ts'
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
  rollcall up                        start a cluster with its data in ./.rollcall
  rollcall up --detach               start it in the background; then rollcall status, logs, down
  rollcall up --memory --port 0      start a cluster in memory, on any free port
  export KUBECONFIG=.rollcall/kubeconfig && kubectl get namespaces
  rollcall simulate -f web.yaml --to image=web:2`,
    )

  program.commandsGroup('Clusters on this machine:')
  addUpCommand(program)
  addClusterCommands(program)
  addKubeconfigCommand(program)
  addTimeCommands(program)
  addChaosCommand(program)
  program.commandsGroup('Simulation:')
  addSimulateCommand(program)
  addRecordCommand(program)
  addReplayCommand(program)
  program.commandsGroup('Other clusters:')
  addCountCommand(program)
  addWaitCommand(program)
  addExplainCommand(program)
  addPacerCommand(program)
  addControllersCommand(program)
  addNodesCommand(program)
  addDashboardCommand(program)
  program.commandsGroup('Tests and tools:')
  addTortureCommand(program)
  addEnvtestCommand(program)
  addSwarmCommand(program)
  addStoreCommand(program)
  addCompletionCommand(program)
  addVersionCommand(program)
  program.helpCommand('help [command]', 'print the help of a command')
  addReferenceCommand(program)

  for (const command of allCommands(program)) {
    addSharedFlags(command)
    if (command.commands.length > 0) refuseUnknownCommands(command)
  }
  program.hook('preAction', (_, command) => {
    const { verbose, output } = command.opts()
    if (verbose) process.env['ROLLCALL_DEBUG'] = '1'
    if (output === 'json' && command.options.some(({ long }) => long === '--json')) command.setOptionValue('json', true)
  })
  return program
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

/** Every command prints details with --verbose, and one that prints JSON does so with --output json. */
function addSharedFlags(command: Command): void {
  command.optionsGroup('Options:')
  command.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Options:'))
  const has = (long: string) => command.options.some((option) => option.long === long)
  if (has('--json') && !has('--output'))
    command.addOption(new Option('--output <format>', 'json: the same as --json').choices(['json']).hideHelp())
  if (!has('--verbose')) command.option('--verbose', 'print details, and the stack traces of errors')
}
