// Runs `rollcall simulate`.
import { existsSync } from 'node:fs'
import { formatTime, realClock } from '../base/clock.ts'
import { quoteCommand } from '../base/shell-quoting.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { formatTrace } from '../simulate/record/trace-file.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { makePlan } from '../simulate/rollout/make-plan.ts'
import { renderJunit } from '../simulate/rollout/output/junit.ts'
import { styleOf } from '../simulate/rollout/output/style.ts'
import { renderSummary } from '../simulate/rollout/output/summary.ts'
import type { Plan } from '../simulate/rollout/plan.ts'
import type { SimulationResult } from '../simulate/rollout/result.ts'
import { simulate } from '../simulate/rollout/simulate.ts'
import type { Trace } from '../simulate/rollout/trace.ts'
import { printError, printHint } from './error-line.ts'
import { dataText, isData } from './flag-values.ts'
import { readLiveObjects } from './live-objects.ts'
import { checkOutputFile, checkOutputFiles, writeOutputFile } from './output-files.ts'
import { progressBar } from './progress-bar.ts'
import type { SimulateCommandOptions } from './simulate.ts'

export async function runSimulate(words: readonly string[], given: SimulateCommandOptions): Promise<number> {
  try {
    const { files, options, note } = await configured(words, given)
    if (options.fromCluster && (options.filename ?? []).length === 0 && files.length === 0) {
      const { runSurvey } = await import('./run-survey.ts')
      return await runSurvey(options)
    }
    checkOutputs(options)
    refuseUnwritten(given)
    const plan = await readPlan([...(options.filename ?? []), ...files], options, note)
    checkCapacity(plan, given)
    if (options.compare !== undefined || options.advise) {
      const { runCompare } = await import('./run-compare.ts')
      return await runCompare(plan, options)
    }
    checkTraces(plan, options)
    const startedMs = realClock.now()
    const traces: Trace[] = []
    const bar = progressBar(process.stderr)
    const result = await simulate(plan, {
      onProgress: bar.show,
      origin: { version: rollcallVersion, createdAt: formatTime(startedMs) },
      workers: options.workers,
      onTrace: options.trace === undefined ? undefined : (trace) => void traces.push(trace),
    }).finally(() => bar.clear())
    await writeAll(plan, result, traces, options, (realClock.now() - startedMs) / 1000)
    return reportFailures(result)
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

/** Files of the command line replace those of the configuration. */
async function configured(words: readonly string[], given: SimulateCommandOptions) {
  const { withConfiguration } = await import('./configuration.ts')
  const { files, options } = withWords(words, given)
  return {
    files,
    ...(await withConfiguration(
      files.length > 0 && options.filename === undefined ? { ...options, filename: [] } : options,
      options.config,
    )),
  }
}

/** `--compare maxSurge=0,1 maxUnavailable=0,1`: words after the first value are settings too, unless they name a file. */
function withWords(words: readonly string[], given: SimulateCommandOptions) {
  const { compare, json } = given
  if (json === '-') printHint('--json - is written -o json now')
  const isSetting = (word: string) => compare !== undefined && /^[A-Za-z]+=/.test(word) && !existsSync(word)
  return {
    files: words.filter((word) => !isSetting(word)),
    options: {
      ...given,
      ...(compare !== undefined && { compare: [...compare, ...words.filter(isSetting)] }),
      ...(json === '-' && { output: 'json' as const, json: undefined }),
      ...(json === true && { json: undefined }),
    },
  }
}

/** Fails now rather than after a minute of simulating. */
function checkOutputs({ output, report, json, junit, markdown, trace }: SimulateCommandOptions): void {
  const file = typeof json === 'string' ? json : undefined
  const own = isData(output) ? '-' : undefined
  checkOutputFiles({ '--output': own, '--report': report, '--json': file, '--junit': junit, '--markdown': markdown, '--trace': trace })
}

function checkTraces({ policies }: Plan, { trace }: SimulateCommandOptions): void {
  if (trace === undefined || policies.length === 1) return
  if (trace === '-') throw new InputError('--trace - writes one trace. Choose a policy with --policies, or name a file.')
  for (const policy of policies) checkOutputFile(traceName(trace, { policy }, policies.length))
}

/** A capacity in rollcall.yaml or a scenario may wait for the `--load` of another call. */
function checkCapacity({ loads }: Plan, { capacity }: SimulateCommandOptions): void {
  if (capacity !== undefined && loads === undefined)
    throw new InputError('--capacity: there is no load to serve. Add --load 100rps, or leave out --capacity.')
}

/** A comparison of settings has many runs. */
function refuseUnwritten({ compare, advise, ...flags }: SimulateCommandOptions): void {
  const unwritten = (['markdown', 'trace'] as const).find((name) => flags[name] !== undefined)
  if (unwritten === undefined || (compare === undefined && !advise)) return
  throw new InputError(
    `--${unwritten} is written for one setting. Leave it out with --${advise ? 'advise' : 'compare'}, or use --report, --junit or -o json.`,
  )
}

async function readPlan(files: readonly string[], options: SimulateCommandOptions, note?: string): Promise<Plan> {
  if (files.length === 0)
    throw new InputError('there is nothing to simulate. Give a manifest or a scenario, as in rollcall simulate -f web.yaml.')
  const { to = [], scale = [], fault = [], expect = [], price, strict, fromCluster, ...flags } = options
  const given = fromCluster ? await readLiveObjects(files, options) : undefined
  return makePlan({
    ...flags,
    given: given?.sources,
    givenNodes: given?.nodes,
    givenTimings: given?.timings,
    inProgress: given?.inProgress,
    clusterHasPolicies: given?.hasPolicies,
    notes: [...(note === undefined ? [] : [note]), ...(given?.notes ?? [])],
    files: fromCluster ? [] : files,
    to,
    scale,
    prices: price,
    faults: fault,
    expect,
    isStrict: strict,
    command: quoteCommand(['rollcall', ...process.argv.slice(2)]),
  })
}

async function writeAll(
  plan: Plan,
  result: SimulationResult,
  traces: readonly Trace[],
  { output, json, junit, markdown, report, trace }: SimulateCommandOptions,
  seconds: number,
): Promise<void> {
  if (isData(output)) process.stdout.write(await dataText(result, output, true))
  else if (![junit, markdown, report, trace].includes('-')) {
    const style = styleOf(process.stdout, process.env)
    process.stdout.write(renderSummary(result, { ...style, isWide: output === 'wide' }))
  }
  if (typeof json === 'string') writeOutputFile(json, `${JSON.stringify(result)}\n`, 'the result as JSON')
  if (junit !== undefined) writeOutputFile(junit, renderJunit(plan, result, seconds), 'the expectations as JUnit XML')
  if (markdown !== undefined) {
    const { renderMarkdown } = await import('../simulate/rollout/output/markdown.ts')
    writeOutputFile(markdown, renderMarkdown(result), 'the result as Markdown')
  }
  if (report !== undefined) {
    const { renderReport } = await import('../simulate/report/render-report.ts')
    writeOutputFile(report, renderReport(result), 'the report, for a browser')
  }
  if (trace !== undefined)
    for (const one of traces)
      writeOutputFile(
        traceName(trace, one, traces.length),
        formatTrace(one),
        one.policy === undefined ? 'the trace' : `the trace under policy ${one.policy}`,
      )
}

/** `web.json` for a single policy, `web.TerminationComplete.json` for one of several. */
function traceName(file: string, { policy = '' }: Pick<Trace, 'policy'>, count: number): string {
  if (count === 1) return file
  const name = policy.replace('+', '-')
  return /\.[A-Za-z0-9]+$/.test(file) ? file.replace(/(\.[A-Za-z0-9]+)$/, `.${name}$1`) : `${file}.${name}`
}

/** Returns the exit code. */
function reportFailures({ outcomes }: SimulationResult): number {
  const failed = outcomes.flatMap(({ policy, failures }) => failures.map((failure) => `${policy}: ${failure}`))
  if (failed.length === 0) return 0
  printError(`not as expected under ${failed[0]}${failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''}`)
  return 1
}
