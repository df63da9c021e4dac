// `rollcall swarm`: random workloads and faults from thousands of seeds, and everything checked that must always hold.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseDurationMs } from '../base/duration.ts'

export interface SwarmCommandOptions {
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
    .summary('look for bugs: try random workloads and faults from thousands of seeds')
    .description(
      'Draw workloads, changes and faults from a seed, run them in virtual time, end the faults, and expect everything to\ncome right. What must always hold is checked at every write. A failure is cut down to its shortest form.',
    )
    .addOption(new Option('--seeds <n>', 'how many seeds to try').default(1000).argParser(wholeNumber(1)))
    .addOption(new Option('--from <seed>', 'the first of them').default(1).argParser(wholeNumber(0)))
    .addOption(new Option('--seed <seed>', 'only this one, with every write printed').argParser(wholeNumber(0)))
    .addOption(new Option('--jobs <n>', 'how many at a time (default: one for each processor)').argParser(wholeNumber(1)))
    .addOption(new Option('--within <time>', 'begin no more seeds after so long, such as 5m of real time').argParser(duration))
    .addOption(new Option('--until-failure', 'stop at the first seed that does not hold'))
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: all hold. 1: one does not; what it takes to see it is printed.

Examples:
  rollcall swarm --seeds 10000 --within 5m
  rollcall swarm --seed 7`,
    )
    .action(async (options: SwarmCommandOptions) => {
      const { runSwarmCommand } = await import('./run-swarm.ts')
      process.exitCode = await runSwarmCommand(options)
    })
}

const duration = (text: string) => {
  try {
    return parseDurationMs(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

const wholeNumber = (least: number) => (text: string) => {
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least)) throw new InvalidArgumentError(`Give a whole number from ${least} on.`)
  return value
}
