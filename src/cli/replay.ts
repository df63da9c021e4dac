// `rollcall replay`: a recorded run, shown again.
import { type Command, InvalidArgumentError, Option } from 'commander'

export interface ReplayOptions {
  readonly report?: string
  readonly json?: boolean
  readonly speed?: number
}

export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .summary('show a recorded run, or compare several')
    .description(
      'Show runs that rollcall record or rollcall simulate --trace wrote: the numbers, a small chart, and a report. With\nseveral files they stand side by side, such as a real rollout beside its simulation.',
    )
    .argument('<trace...>', 'traces, or results that rollcall simulate --json wrote; - is the standard input')
    .addOption(new Option('--report <file>', 'write the pictures and numbers as one HTML file'))
    .addOption(new Option('--json', 'print everything as JSON in place of the table'))
    .addOption(new Option('--speed <n>', 'play it in the terminal first, so many times as fast as it was').argParser(speed))
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: it was shown. 2: a file is missing, damaged, or no trace.

Examples:
  rollcall replay web.json
  rollcall replay web.json --speed 10
  rollcall replay real.json simulated.json --report compared.html`,
    )
    .action(async (files: readonly string[], options: ReplayOptions) => {
      const { runReplay } = await import('./run-replay.ts')
      process.exitCode = await runReplay(files, options)
    })
}

const speed = (text: string) => {
  const value = /^[0-9]+(?:\.[0-9]+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  if (!(value > 0)) throw new InvalidArgumentError('Give a number above 0, such as 10.')
  return value
}
