#!/usr/bin/env node
// `rollcall`: the command line. Each command lives in a file of its own and is loaded when it is called.
import { Command, CommanderError } from 'commander'
import { addChaosCommand } from './chaos.ts'
import { addControllersCommand } from './controllers.ts'
import { addNodesCommand } from './nodes.ts'
import { addPacerCommand } from './pacer.ts'
import { addRecordCommand } from './record.ts'
import { addReplayCommand } from './replay.ts'
import { addSimulateCommand } from './simulate.ts'
import { addTimeCommands } from './step.ts'
import { addStoreCommand } from './store.ts'
import { addSwarmCommand } from './swarm.ts'
import { addUpCommand } from './up.ts'
import { rollcallVersion } from './version.ts'

const program = new Command('rollcall')
  .description(
    'A Kubernetes workload control plane in one process that counts every pod,\nalso the ones on their way out: a cluster for your laptop, your tests and your CI.',
  )
  .version(rollcallVersion, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print the help of a command')
  .showHelpAfterError('(run the command with --help to see what it takes)')
  .configureHelp({ helpWidth: 100, sortSubcommands: false })
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  rollcall up                        start a cluster, kept in ./.rollcall
  rollcall up --memory --port 0      start one that is gone when it stops, on any free port
  export KUBECONFIG=.rollcall/kubeconfig && kubectl get namespaces
  rollcall simulate -f web.yaml --to image=web:2`,
  )

addUpCommand(program)
addSimulateCommand(program)
addTimeCommands(program)
addChaosCommand(program)
addControllersCommand(program)
addPacerCommand(program)
addNodesCommand(program)
addRecordCommand(program)
addReplayCommand(program)
addSwarmCommand(program)
addStoreCommand(program)

// A reader that has gone, as in `rollcall up | head -1`, is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  // One line that says what to do; the stack is for those who ask for it.
  process.stderr.write(`rollcall: ${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env['ROLLCALL_DEBUG'] !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 1)
}
