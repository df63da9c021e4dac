// Runs `rollcall torture`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rollcallVersion } from '../cluster/version.ts'
import { describePlan } from '../torture/plan/fault-plan.ts'
import { readReplay, writeReplay } from '../torture/report/replay-file.ts'
import { storyOf } from '../torture/report/story.ts'
import type { Scenario, ScenarioStep } from '../torture/scenario.ts'
import { type Progress, type TortureOptions, type TortureResult, torture } from '../torture/torture.ts'
import { usageError } from './error-line.ts'
import { printData } from './flag-values.ts'
import type { GivenStep, TortureCommandOptions } from './torture.ts'

/** Resolves to the exit code. */
export async function runTortureCommand(options: TortureCommandOptions): Promise<number> {
  const replay = options.replay === undefined ? undefined : readReplay(options.replay)
  const scenario = replay?.scenario ?? readScenario(options)
  if (options.testCode !== undefined) {
    if (replay === undefined) throw usageError('Cannot print a test: there is no plan. Give one with --replay.')
    const { testCode } = await import('../torture/report/test-code.ts')
    process.stdout.write(testCode(options.testCode, resolve(options.replay!), replay))
    return 0
  }
  const stopping = new AbortController()
  // The second Ctrl-C ends the process.
  const interrupt = () => stopping.abort()
  process.once('SIGINT', interrupt)
  const terminate = () => process.exit(143)
  process.once('SIGTERM', terminate)
  const isShown = process.stderr.isTTY === true && options.output === undefined
  const shared: TortureOptions = {
    scenario,
    seed: options.seed,
    jobs: options.jobs,
    budgetMs: options.budget,
    ...(options.plans !== undefined && { maxPlans: options.plans }),
    ...(replay && { plans: Array.from({ length: options.repeat }, () => replay.plan) }),
    learnMs: options.learn,
    patienceMs: options.patience,
    longMs: options.long || 0,
    version: rollcallVersion,
    signal: stopping.signal,
    onProgress: (progress) => {
      if (isShown) process.stderr.write(`\r\x1b[K${describeProgress(progress)}`)
    },
    log: (line) => {
      if (process.env['ROLLCALL_DEBUG']) process.stderr.write(`${line}\n`)
    },
  }
  try {
    const result = await torture(shared)
    if (isShown) process.stderr.write('\r\x1b[K')
    await show(result, scenario, options)
    return result.bugs.length > 0 ? 1 : 0
  } finally {
    process.removeListener('SIGINT', interrupt)
    process.removeListener('SIGTERM', terminate)
  }
}

async function show(result: TortureResult, scenario: Scenario, options: TortureCommandOptions): Promise<void> {
  const files: string[] = []
  if (options.replay === undefined && result.bugs.length > 0) {
    mkdirSync(options.replays!, { recursive: true })
    for (const [i, { plan, finding }] of result.bugs.entries()) {
      const path = join(options.replays!, `${i + 1}.json`)
      writeReplay(path, { scenario, plan, finding: finding.text })
      files.push(path)
    }
  }
  if (options.report !== undefined) {
    const { reportPage } = await import('../torture/report/html-report.ts')
    writeFileSync(options.report, reportPage(result, scenario))
  }
  if (options.junit !== undefined) {
    const { junitReport } = await import('../torture/report/junit.ts')
    writeFileSync(options.junit, junitReport(result, scenario))
  }
  if (options.output !== undefined) {
    const bugs = result.bugs.map(({ finding, also, plan, plans, repeats }, i) => ({
      finding,
      also,
      plan,
      plans,
      repeats,
      replay: files[i],
    }))
    const { plans, effective, singles, durationMs, undisturbed, pace } = result
    return printData({ bugs, undisturbed, plans, effective, singles, durationMs, quietMs: pace.quietMs }, options.output)
  }
  process.stdout.write(describeResult(result, files))
}

function describeResult(result: TortureResult, files: readonly string[]): string {
  const { bugs, plans, effective, durationMs, undisturbed, baseline } = result
  const lines: string[] = []
  const writes = baseline.requests.filter(({ change }) => change !== undefined).length
  lines.push(`Learned: ${writes} writes, ${baseline.watched.size} kinds watched.`)
  for (const text of undisturbed) lines.push(`Without faults: ${text}`)
  for (const [i, bug] of bugs.entries()) {
    const { finding, also, plan, repeats } = bug
    lines.push('', `${i + 1}. ${finding.text}`)
    for (const other of also.slice(0, 5)) lines.push(`   also: ${other.text}`)
    lines.push(`   fault: ${describePlan(plan)}`)
    lines.push(
      `   seen in ${bug.plans} ${bug.plans === 1 ? 'plan' : 'plans'}${repeats.of > 0 ? `; ${repeats.shown} of ${repeats.of} repetitions` : ''}`,
    )
    for (const line of storyOf(bug)) lines.push(`     ${line}`)
    if (files[i] !== undefined) lines.push(`   replay: rollcall torture --replay ${files[i]}`)
  }
  const found = bugs.length === 0 ? 'no finding' : `${bugs.length} ${bugs.length === 1 ? 'finding' : 'findings'}`
  const perMinute = Math.round(plans / (durationMs / 60_000))
  lines.push('', `${plans} plans (${effective} had an effect), ${found} (${(durationMs / 1000).toFixed(0)} s, ${perMinute} plans a minute)`)
  return `${lines.join('\n')}\n`
}

function describeProgress({ phase, plans, singles, bugs, elapsedMs }: Progress): string {
  const seconds = `${Math.round(elapsedMs / 1000)} s`
  if (phase === 'prepare') return `preparing the cluster, ${seconds}`
  if (phase === 'learn') return `learning what the program does, ${seconds}`
  return `${plans} plans (${singles} with one fault), ${bugs} findings, ${seconds}${phase === 'confirm' ? ', repeating a finding' : ''}`
}

function readScenario(options: TortureCommandOptions): Scenario {
  const { run, setup = [], steps, always = [], finally: last = [], nodes, controllers } = options
  if (run === undefined) throw usageError('Cannot test: there is no program. Give its command with --run.')
  if (steps.length === 0) throw usageError('Cannot test: nothing happens. Give at least one step with --apply.')
  return {
    run,
    directory: process.cwd(),
    setup: setup.map((path) => readFileStep('apply', path)),
    steps: steps.map(readStep),
    always,
    finally: last,
    nodes,
    controllers: controllers === 'all' ? 'all' : controllers === 'none' ? [] : controllers.split(',').map((name) => name.trim()),
  }
}

function readStep({ type, value }: GivenStep): ScenarioStep {
  if (type === 'then' && !existsSync(value)) return { type: 'shell', command: value }
  return readFileStep(type === 'delete' ? 'delete' : 'apply', value)
}

function readFileStep(type: 'apply' | 'delete', path: string): ScenarioStep {
  try {
    return { type, name: path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    throw usageError(`Cannot read ${path}: ${(error as Error).message}.`)
  }
}
