// `rollcall replay`: shows recorded runs.
import { type Command, InvalidArgumentError } from 'commander'
import { type OutputOption, outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface ReplayOptions extends OutputOption {
  readonly report?: string
  readonly compare?: boolean
  readonly speed?: number
}

export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .summary('show a recorded run, or compare several')
    .description(
      'Show runs that rollcall record or rollcall simulate --trace wrote: the numbers, a chart, and a report. Several files are shown side by side, such as a real rollout beside its simulation.',
    )
    .argument('<trace...>', 'traces, or results of rollcall simulate -o json; - means stdin')
    .option('--report <file>', 'write charts and numbers to one HTML file')
    .option('--compare', 'say in numbers how far the others are from the first: peak, durations')
    .addOption(outputOption())
    .option('--speed <n>', 'first play the run in the terminal, this many times faster than it was recorded', speed)
    .addHelpText(
      'after',
      `
Exit code 0: the run was shown. 2: a file is missing, damaged, or not a trace.

Examples:
  rollcall replay web.json
  rollcall replay web.json --speed 10
  rollcall replay real.json simulated.json --report compared.html`,
    )
    .action(lazyAction(async () => (await import('./run-replay.ts')).runReplay))
}

const speed = (text: string) => {
  const value = /^[0-9]+(?:\.[0-9]+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  if (!(value > 0)) throw new InvalidArgumentError('Give a number above 0, such as 10.')
  return value
}
