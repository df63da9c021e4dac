// `rollcall step`, `pause`, `resume`: the time of a cluster that was started with --paused or --speed.
import { type Command, InvalidArgumentError } from 'commander'
import { type ClusterOptions, withCluster } from './cluster-folder.ts'
import { clockSpeed, duration, type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface StepCommandOptions extends ClusterOptions, OutputOption {
  readonly until?: Until
  readonly untilIdle?: number | true
  readonly namespace: string
}

interface Until {
  readonly object: string
  readonly condition: string
}

export function addTimeCommands(program: Command): void {
  withCluster(
    program
      .command('step')
      .argument('[duration]', 'how far to advance: 30s, 10m, 1h30m, 2d (default with --until and --until-idle: 1h at most)', duration)
      .summary('advance cluster time at once, event by event')
      .description('Advance the time of a paused cluster as quickly as the machine can, from event to event. Prints a summary in one line.')
      .option(
        '--until <condition>',
        "stop at the event that meets it: 'deployment/web available', 'job/one complete', 'pod/x deleted'",
        until,
      )
      .option('--until-idle [duration]', 'stop when no object has changed for this long (default: 1m)', duration)
      .option('-n, --namespace <name>', 'the namespace of the object in --until', 'default')
      .addOption(outputOption()),
  )
    .addHelpText(
      'after',
      `
Exit code 0: time has advanced, or the condition is met. 1: the condition was not met in that time.

Examples:
  rollcall step 10m
  rollcall step 1h --until 'deployment/web available'
  rollcall step --until-idle`,
    )
    .action(lazyAction(async () => (await import('./run-step.ts')).runStep))

  withCluster(
    program
      .command('pause')
      .summary('pause cluster time')
      .addHelpText('after', '\nExample:\n  rollcall pause')
      .description('Pause the time of a cluster that was started with --paused or --speed. Requests are still answered.')
      .addOption(outputOption()),
  ).action(lazyAction(async () => (await import('./run-step.ts')).runPause))

  withCluster(
    program
      .command('resume')
      .summary('resume cluster time')
      .addHelpText('after', '\nExample:\n  rollcall resume --speed 60')
      .description('Resume the time of a cluster that was started with --paused or --speed.')
      .option('--speed <n>', 'how many times faster than the wall clock (default: as before)', clockSpeed)
      .addOption(outputOption()),
  ).action(lazyAction(async () => (await import('./run-step.ts')).runResume))
}

const until = (text: string): Until => {
  const match = /^\s*([\w.]+\/[a-z0-9.-]+)[\s=]+(\w+)\s*$/i.exec(text)
  if (match === null) throw new InvalidArgumentError("Write KIND/NAME and a condition: 'deployment/web available'.")
  return { object: match[1]!, condition: match[2]! }
}
