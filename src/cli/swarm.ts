// `rollcall swarm`: runs random workloads and faults from thousands of seeds, and checks all invariants.
import { type Command, InvalidArgumentError } from 'commander'
import { parseDurationMs } from '../base/duration.ts'
import { type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface SwarmCommandOptions extends OutputOption {
  readonly seed?: number
  readonly seeds: number
  readonly from: number
  readonly jobs?: number
  readonly untilFailure?: boolean
  /** In milliseconds of real time. */
  readonly within?: number
}

export function addSwarmCommand(program: Command): void {
  program
    .command('swarm')
    .summary('search for bugs with random workloads and faults from thousands of seeds')
    .description(
      'Generate workloads, changes and faults from a seed, run them in virtual time, end the faults, and check that every workload converges. Invariants are checked at every write. A failing seed is reduced to a minimal sequence of steps.',
    )
    .option('--seeds <n>', 'the number of seeds', wholeNumber(1), 1000)
    .option('--from <seed>', 'the first seed', wholeNumber(0), 1)
    .option('--seed <seed>', 'run only this seed, and print every write', wholeNumber(0))
    .option('--jobs <n>', 'the number of seeds at a time (default: one for each processor)', wholeNumber(1))
    .option('--within <time>', 'start no more seeds after this much real time, such as 5m', duration)
    .option('--until-failure', 'stop at the first seed that fails')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exit code 0: all seeds pass. 1: a seed fails; the steps and the command that replay it are printed.

Examples:
  rollcall swarm --seeds 10000 --within 5m
  rollcall swarm --seed 7`,
    )
    .action(lazyAction(async () => (await import('./run-swarm.ts')).runSwarmCommand))
}

const duration = (text: string) => {
  try {
    return parseDurationMs(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

const wholeNumber = (min: number) => (text: string) => {
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min)) throw new InvalidArgumentError(`Give a whole number of at least ${min}.`)
  return value
}
