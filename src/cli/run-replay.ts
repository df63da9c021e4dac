// Runs `rollcall replay`.
import { readFileSync } from 'node:fs'
import { type Clock, realClock } from '../base/clock.ts'
import { quoteCommand } from '../base/shell-quoting.ts'
import { differencesBetween, renderDifferences } from '../simulate/record/compared-measures.ts'
import { playedMoments } from '../simulate/record/played-moments.ts'
import { readRecorded, replayedResult } from '../simulate/record/replayed-result.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { styleOf } from '../simulate/rollout/output/style.ts'
import { renderSummary } from '../simulate/rollout/output/summary.ts'
import type { Outcome, SimulationResult } from '../simulate/rollout/result.ts'
import { printError } from './error-line.ts'
import { dataText } from './flag-values.ts'
import { checkOutputFiles, writeOutputFile } from './output-files.ts'
import type { ReplayOptions } from './replay.ts'

export async function runReplay(files: readonly string[], options: ReplayOptions): Promise<number> {
  try {
    checkOutputFiles({ '--report': options.report, '--output': options.output === undefined ? undefined : '-' })
    const recorded = files.map((name) => readRecorded({ name, text: readText(name) }))
    const result = replayedResult(recorded, quoteCommand(['rollcall', ...process.argv.slice(2)]))
    if (options.compare && result.outcomes.length < 2)
      throw new InputError('--compare needs two runs. Give the recording and its simulation.')
    if (options.speed !== undefined) await play(onlyOutcome(result), options.speed, realClock)
    if (options.report !== undefined) {
      const { renderReport } = await import('../simulate/report/render-report.ts')
      writeOutputFile(options.report, renderReport(result), 'the report, for a browser')
    }
    if (options.report === '-') return 0
    const style = styleOf(process.stdout, process.env)
    const compared = options.compare ? `${renderDifferences(result.outcomes).join('\n')}\n` : ''
    process.stdout.write(
      options.output === undefined
        ? renderSummary(result, style) + compared
        : await dataText(withDifferences(result, options.compare), options.output, true),
    )
    return 0
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

/** The first outcome is the reference. */
const withDifferences = (result: SimulationResult, isCompared = false) => {
  const [first, ...others] = result.outcomes
  if (!isCompared || first === undefined) return result
  return {
    ...result,
    differences: others.map((other) => ({ of: other.label ?? other.policy, measures: differencesBetween(first, other) })),
  }
}

function readText(name: string): string {
  try {
    return readFileSync(name === '-' ? 0 : name, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : message
    throw new InputError(`Cannot read ${name}: ${why}`)
  }
}

function onlyOutcome({ outcomes }: SimulationResult): Outcome {
  const [only, ...others] = outcomes
  if (only === undefined || others.length > 0) throw new InputError('--speed plays a single run. Give one trace.')
  return only
}

/** On a terminal, the numbers stay in the last line, and events scroll above them. */
async function play(outcome: Outcome, speed: number, clock: Clock): Promise<void> {
  const { stderr } = process
  let nowMs = 0
  for (const { atMs, numbers, happened } of playedMoments(outcome)) {
    if (atMs > nowMs) await new Promise<void>((resolve) => clock.after((atMs - nowMs) / speed, resolve))
    nowMs = atMs
    if (stderr.isTTY) stderr.write(`\r\u001b[K${happened.map((line) => `${line}\n`).join('')}${numbers}`)
    else stderr.write([...happened, numbers].map((line) => `${line}\n`).join(''))
  }
  if (stderr.isTTY) stderr.write('\n')
}
