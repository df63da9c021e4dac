#!/usr/bin/env node
// `rollcall`: the command line. Each command has a file of its own, and its implementation is loaded when it is called.
import { Command, CommanderError } from 'commander'
import { rollcallVersion } from '../cluster/version.ts'
import { addChaosCommand } from './chaos.ts'
import { addClusterCommands } from './clusters.ts'
import { addCompletionCommand } from './completion.ts'
import { addControllersCommand } from './controllers.ts'
import { addDashboardCommand } from './dashboard.ts'
import { addEnvtestCommand } from './envtest.ts'
import { errorLine, printError } from './error-line.ts'
import { addKubeconfigCommand } from './kubeconfig.ts'
import { addNodesCommand } from './nodes.ts'
import { addPacerCommand } from './pacer.ts'
import { addRecordCommand } from './record.ts'
import { addReplayCommand } from './replay.ts'
import { addSimulateCommand } from './simulate.ts'
import { addTimeCommands } from './step.ts'
import { addStoreCommand } from './store.ts'
import { addSwarmCommand } from './swarm.ts'
import { addUpCommand } from './up.ts'
import { addVersionCommand } from './version-command.ts'

/** As wide as the terminal, but no wider than what reads well. */
function helpWidth(): number {
  const columns = process.stdout.columns ?? 100
  return Math.min(Math.max(columns, 60), 120)
}

const program = new Command('rollcall')
  .description(
    'A Kubernetes workload control plane in one process that counts every pod, terminating ones included: a cluster for your laptop, your tests and your CI.',
  )
  .version(rollcallVersion, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print the help of a command')
  .configureOutput({
    outputError: (text, write) => write(errorLine(`${errorLine(text.replace(/^error: /, '')).slice(7, -1)} Run it with --help for usage.`)),
  })
  .configureHelp({ helpWidth: helpWidth(), sortSubcommands: false })
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  rollcall up                        start a cluster with its data in ./.rollcall
  rollcall up --memory --port 0      start a cluster in memory, on any free port
  export KUBECONFIG=.rollcall/kubeconfig && kubectl get namespaces
  rollcall simulate -f web.yaml --to image=web:2`,
  )

addUpCommand(program)
addClusterCommands(program)
addKubeconfigCommand(program)
addSimulateCommand(program)
addTimeCommands(program)
addChaosCommand(program)
addControllersCommand(program)
addPacerCommand(program)
addNodesCommand(program)
addDashboardCommand(program)
addRecordCommand(program)
addReplayCommand(program)
addSwarmCommand(program)
addStoreCommand(program)
addEnvtestCommand(program)
addCompletionCommand(program)
addVersionCommand(program)

// The command continues when its reader has closed the pipe, as in `rollcall up | head -1`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  printError(error)
  process.exit(error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 1)
}
