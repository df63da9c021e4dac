// What `rollcall step`, `pause` and `resume` do once their flags are read.
import { isStatusError } from '../api/machinery/status-error.ts'
import { formatTime, parseTime, realClock } from '../base/clock.ts'
import { HttpTransport } from '../client/http-transport.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import { type ClockOrder, type ClockStatus, clockPath, type FinishedStep, type StepProgress } from '../cluster/time-paths.ts'
import { type ClusterOptions, kubeconfigPathsOf } from './find-cluster.ts'
import { shortPath } from './short-path.ts'
import type { StepCommandOptions } from './step.ts'

const usualMostMs = 3_600_000
const usualQuietMs = 60_000
const shortestPollMs = 5
const longestPollMs = 100

export async function runStep(ms: number | undefined, options: StepCommandOptions): Promise<number> {
  const { until, untilIdle, namespace } = options
  const hasGoal = until !== undefined || untilIdle !== undefined
  if (ms === undefined && !hasGoal) throw inputError('Cannot step: say how far, as in rollcall step 10m')
  const cluster = await connect(options)
  const step = {
    milliseconds: ms ?? usualMostMs,
    ...(until && { until: { ...until, namespace } }),
    ...(untilIdle !== undefined && { idleMilliseconds: untilIdle === true ? usualQuietMs : untilIdle }),
  }
  const started = await cluster.order({ step })
  const id = started.step?.id ?? started.lastStep?.id ?? 0
  const stopCutting = onInterrupt(() => void cluster.order({ cut: true }).catch(() => {}))
  const isShown = process.stderr.isTTY === true && !options.json
  try {
    for (let waitMs = shortestPollMs, status = started; ; waitMs = Math.min(waitMs * 2, longestPollMs)) {
      if (status.lastStep?.id === id) {
        if (isShown) process.stderr.write('\r\x1b[K')
        return tell(status.lastStep, options, hasGoal)
      }
      if (isShown && status.step) process.stderr.write(`\r\x1b[K${describeProgress(status.step, status.now)}`)
      await new Promise<void>((resolve) => void realClock.after(waitMs, resolve))
      status = await cluster.status()
    }
  } finally {
    stopCutting()
    cluster.close()
  }
}

export async function runPause(options: ClusterOptions): Promise<void> {
  const cluster = await connect(options)
  const { now } = await cluster.order({ pause: true })
  cluster.close()
  process.stdout.write(`Time stands still at ${seconds(now)}. rollcall step lets it pass, rollcall resume lets it run.\n`)
}

export async function runResume(options: ClusterOptions & { readonly speed?: number }): Promise<void> {
  const cluster = await connect(options)
  const { now, speed } = await cluster.order({ resume: { ...(options.speed !== undefined && { speed: options.speed }) } })
  cluster.close()
  process.stdout.write(`Time runs from ${seconds(now)} on, ${speed} times as fast as the wall clock.\n`)
}

async function connect(options: ClusterOptions) {
  const paths = kubeconfigPathsOf(options)
  const connection = await readKubeconfig({ paths, clock: realClock }).catch((error: Error) => {
    throw inputError(`${error.message}; is a cluster kept there? Name its directory with --data-dir, or its file with --kubeconfig`)
  })
  const transport = new HttpTransport({ connection, clock: realClock, name: 'rollcall' })
  const send = async (method: 'GET' | 'POST', body?: ClockOrder): Promise<ClockStatus> => {
    try {
      const text = await transport.send({
        method,
        path: clockPath,
        ...(body && { body: JSON.stringify(body), contentType: 'application/json' }),
      })
      return JSON.parse(text) as ClockStatus
    } catch (error) {
      if (isStatusError(error, 'NotFound')) throw new Error(`Cannot bend time at ${connection.server}: that is no cluster of rollcall up`)
      if (isStatusError(error, 'BadRequest')) throw inputError(error.message)
      if (isStatusError(error)) throw error
      throw new Error(
        `Cannot reach the cluster of ${paths.map(shortPath).join(', ')} at ${connection.server}: is it up? (${(error as Error).message})`,
      )
    }
  }
  return { order: (body: ClockOrder) => send('POST', body), status: () => send('GET'), close: () => transport.close() }
}

function tell(step: FinishedStep, { json, until }: StepCommandOptions, hasGoal: boolean): number {
  if (json) process.stdout.write(`${JSON.stringify(step)}\n`)
  else process.stdout.write(`${describeStep(step)}\n`)
  if (step.end === 'failed') throw new Error(step.message ?? 'the step failed')
  if (!hasGoal || step.end === 'goal') return step.end === 'cut' ? 130 : 0
  const what = until ? `${until.object} is not ${until.condition}` : 'there was no rest'
  process.stderr.write(`rollcall: ${what} in ${describeLength(parseTime(step.to) - parseTime(step.from))}\n`)
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
  const told = Object.entries(warnings).map(([reason, count]) => `${count} ${reason}`)
  return [
    `${describeLength(parseTime(to) - parseTime(from))} passed, now ${seconds(to)}: ${count(events, 'event')}, ${count(writes, 'write')}`,
    `pods: ${changes.length === 0 ? 'no change' : changes.join(', ')}`,
    ...(told.length === 0 ? [] : [`warnings: ${told.join(', ')}`]),
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

/** Ctrl-C ends the step; again, this command. */
function onInterrupt(run: () => void): () => void {
  const listen = () => {
    process.off('SIGINT', listen)
    run()
  }
  process.on('SIGINT', listen)
  return () => process.off('SIGINT', listen)
}

const inputError = (message: string) => Object.assign(new Error(message), { exitCode: 2 })
