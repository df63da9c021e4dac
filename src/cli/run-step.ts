// Runs `rollcall step`, `pause` and `resume`.
import { isStatusError } from '../api/machinery/status-error.ts'
import { formatTime, parseTime, realClock, sleep } from '../base/clock.ts'
import { type ClockOrder, type ClockStatus, clockPath, type FinishedStep, type StepProgress } from '../cluster/time/time-paths.ts'
import { connectToCluster } from './cluster-connection.ts'
import type { ClusterOptions } from './cluster-folder.ts'
import { printError, usageError } from './error-line.ts'
import { dataText, type OutputOption, printData } from './flag-values.ts'
import type { StepCommandOptions } from './step.ts'

const defaultLimitMs = 3_600_000
const defaultIdleMs = 60_000
const minPollMs = 5
const maxPollMs = 100

export async function runStep(ms: number | undefined, options: StepCommandOptions): Promise<number> {
  const { until, untilIdle, namespace } = options
  const hasGoal = until !== undefined || untilIdle !== undefined
  if (ms === undefined && !hasGoal) throw usageError('Cannot step: there is no duration. Give one, as in rollcall step 10m.')
  const cluster = await connect(options)
  const step = {
    milliseconds: ms ?? defaultLimitMs,
    until: until && { ...until, namespace },
    idleMilliseconds: untilIdle === true ? defaultIdleMs : untilIdle,
  }
  const started = await cluster.order({ step })
  const id = started.step?.id ?? started.lastStep?.id ?? 0
  const stopListening = onInterrupt(() => void cluster.order({ cut: true }).catch(() => {}))
  const isShown = process.stderr.isTTY === true && options.output === undefined
  try {
    for (let waitMs = minPollMs, status = started; ; waitMs = Math.min(waitMs * 2, maxPollMs)) {
      if (status.lastStep?.id === id) {
        if (isShown) process.stderr.write('\r\x1b[K')
        return await reportStep(status.lastStep, options, hasGoal)
      }
      if (isShown && status.step) process.stderr.write(`\r\x1b[K${describeProgress(status.step, status.now)}`)
      await sleep(realClock, waitMs)
      status = await cluster.status()
    }
  } finally {
    stopListening()
    cluster.close()
  }
}

export async function runPause(options: ClusterOptions & OutputOption): Promise<void> {
  const cluster = await connect(options)
  const status = await cluster.order({ pause: true })
  cluster.close()
  if (options.output !== undefined) return printData(status, options.output)
  const { now } = status
  process.stdout.write(`Time is paused at ${seconds(now)}. Advance it with rollcall step, or resume it with rollcall resume.\n`)
}

export async function runResume(options: ClusterOptions & OutputOption & { readonly speed?: number }): Promise<void> {
  const cluster = await connect(options)
  const status = await cluster.order({ resume: { speed: options.speed } })
  cluster.close()
  if (options.output !== undefined) return printData(status, options.output)
  const { now, speed } = status
  process.stdout.write(`Time runs again from ${seconds(now)}, ${speed} times as fast as the wall clock.\n`)
}

async function connect(options: ClusterOptions) {
  const { server, transport, unreachable } = await connectToCluster(options)
  const send = async (method: 'GET' | 'POST', body?: ClockOrder): Promise<ClockStatus> => {
    try {
      const text = await transport.send({
        method,
        path: clockPath,
        ...(body && { body: () => JSON.stringify(body), contentType: 'application/json' }),
      })
      return JSON.parse(text) as ClockStatus
    } catch (error) {
      if (isStatusError(error, 'NotFound'))
        throw new Error(`Cannot change the time at ${server}: its clock is not adjustable. Use a cluster of rollcall up.`)
      if (isStatusError(error, 'BadRequest')) throw usageError(error.message)
      throw isStatusError(error) ? error : unreachable(error as Error)
    }
  }
  return { order: (body: ClockOrder) => send('POST', body), status: () => send('GET'), close: () => transport.close() }
}

/** Returns the exit code. */
async function reportStep(step: FinishedStep, { output, until }: StepCommandOptions, hasGoal: boolean): Promise<number> {
  process.stdout.write(output === undefined ? `${describeStep(step)}\n` : await dataText(step, output, true))
  if (step.end === 'failed') throw new Error(step.message ?? 'the step failed')
  if (!hasGoal || step.end === 'goal') return step.end === 'cut' ? 130 : 0
  const what = until ? `${until.object} is not ${until.condition}` : 'the cluster is not idle'
  printError(`${what} after ${describeLength(parseTime(step.to) - parseTime(step.from))}`)
  return step.end === 'cut' ? 130 : 1
}

const seconds = (time: string) => formatTime(parseTime(time))

function describeProgress({ from, until, events }: StepProgress, now: string): string {
  const share = (parseTime(now) - parseTime(from)) / (parseTime(until) - parseTime(from))
  return `${seconds(now)}  ${Math.floor(share * 100)} %  ${events} events`
}

/** `10m passed, now 2026-01-01T00:10:00Z: 61 events, 12 writes; pods: 3 created, 3 started; warnings: 2 BackOff`. */
export function describeStep({ from, to, events, writes, pods, warnings }: FinishedStep): string {
  const changes = Object.entries(pods)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
  const warned = Object.entries(warnings).map(([reason, count]) => `${count} ${reason}`)
  return [
    `${describeLength(parseTime(to) - parseTime(from))} passed, now ${seconds(to)}: ${count(events, 'event')}, ${count(writes, 'write')}`,
    `pods: ${changes.length === 0 ? 'no change' : changes.join(', ')}`,
    ...(warned.length === 0 ? [] : [`warnings: ${warned.join(', ')}`]),
  ].join('; ')
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** `1h30m`, `12.5s`. */
export function describeLength(ms: number): string {
  const whole = Math.floor(ms / 1000)
  const units: readonly (readonly [number, string])[] = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [(whole % 60) + (ms % 1000) / 1000, 's'],
  ]
  const text = units.flatMap(([value, unit]) => (value === 0 ? [] : [`${value}${unit}`])).join('')
  return text === '' ? '0s' : text
}

/** The first Ctrl-C ends the step, the second one this command. */
function onInterrupt(run: () => void): () => void {
  const listen = () => {
    process.off('SIGINT', listen)
    run()
  }
  process.on('SIGINT', listen)
  return () => process.off('SIGINT', listen)
}
