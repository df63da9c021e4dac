// `rollcall step`, `pause`, `resume`: the time of a cluster that was started with --paused or --speed.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ClusterOptions } from './find-cluster.ts'
import { length, speed } from './up.ts'

export interface StepCommandOptions extends ClusterOptions {
  readonly until?: Until
  readonly untilIdle?: number | true
  readonly namespace: string
  readonly json?: boolean
}

export interface Until {
  readonly object: string
  readonly condition: string
}

export function addTimeCommands(program: Command): void {
  withCluster(
    program
      .command('step')
      .argument(
        '[duration]',
        'how much cluster time passes: 30s, 10m, 1h30m, 2d (default: 1h at most, with --until and --until-idle)',
        length,
      )
      .summary('let cluster time pass at once, event by event')
      .description(
        'Let time pass in a cluster that was started with --paused, as quickly as the machine can: it jumps from event to event.\nWhat happened is told in one line.',
      )
      .addOption(
        new Option(
          '--until <condition>',
          "stop at the event that brings it: 'deployment/web available', 'job/one complete', 'pod/x deleted'",
        ).argParser(until),
      )
      .addOption(new Option('--until-idle [duration]', 'stop when no object has changed for so long (default: 1m)').argParser(length))
      .addOption(new Option('-n, --namespace <name>', 'of the object in --until').default('default'))
      .addOption(new Option('--json', 'print what happened as JSON')),
  )
    .addHelpText(
      'after',
      `
Exit code 0: time has passed, or what was waited for is there. 1: it is not there in that time.

Examples:
  rollcall step 10m
  rollcall step 1h --until 'deployment/web available'
  rollcall step --until-idle`,
    )
    .action(async (ms: number | undefined, options: StepCommandOptions) => {
      const { runStep } = await import('./run-step.ts')
      process.exitCode = await runStep(ms, options)
    })

  withCluster(
    program
      .command('pause')
      .summary('let cluster time stand still')
      .description('Stop the time of a cluster that was started with --paused or --speed. Requests are still answered.'),
  ).action(async (options: ClusterOptions) => {
    const { runPause } = await import('./run-step.ts')
    await runPause(options)
  })

  withCluster(
    program
      .command('resume')
      .summary('let cluster time run again')
      .description('Let the time of a cluster run that was started with --paused or --speed.')
      .addOption(new Option('--speed <n>', 'so many times faster than the wall clock (default: as before)').argParser(speed)),
  ).action(async (options: ClusterOptions & { readonly speed?: number }) => {
    const { runResume } = await import('./run-step.ts')
    await runResume(options)
  })
}

const withCluster = (command: Command): Command =>
  command
    .addOption(new Option('--kubeconfig <file>', 'of the cluster (default: what KUBECONFIG names, or the one in the data directory)'))
    .addOption(new Option('--data-dir <dir>', 'of the cluster (default: .rollcall)'))
    .helpOption('-h, --help', 'print this help')

const until = (text: string): Until => {
  const match = /^\s*([\w.]+\/[a-z0-9.-]+)[\s=]+(\w+)\s*$/i.exec(text)
  if (match === null) throw new InvalidArgumentError("Write KIND/NAME and a condition: 'deployment/web available'.")
  return { object: match[1]!, condition: match[2]! }
}
