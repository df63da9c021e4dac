// /rollcall/v1/clock: what time it is in the cluster, and the ways to bend it. For those who may do everything.
import { badRequestError, failure } from '../api/machinery/status-error.ts'
import type { AdjustableClock } from '../base/adjustable-clock.ts'
import { formatMicroTime, realClock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { Store } from '../store/store.ts'
import { readGoal, type StepGoal } from './step-goal.ts'
import { type StepSummary, watchStep } from './step-summary.ts'

export const clockPath = '/rollcall/v1/clock'

/** What GET answers, and every POST as well. */
export interface ClockStatus {
  readonly now: string
  readonly wall: string
  readonly speed: number
  readonly paused: boolean
  /** Whether it can be paused, stepped, and run at another speed. */
  readonly adjustable: boolean
  /** The step that is under way. */
  readonly step?: StepProgress
  readonly lastStep?: FinishedStep
}

export interface StepProgress extends StepSummary {
  readonly id: number
  readonly from: string
  readonly until: string
  readonly events: number
}

export interface FinishedStep extends StepProgress {
  readonly to: string
  /** `time`: it has passed; `goal`: what was waited for is there; `cut`: somebody ended it; or what went wrong. */
  readonly end: 'time' | 'goal' | 'cut' | 'failed'
  readonly message?: string
}

/** One of them at a time. */
export interface ClockOrder {
  readonly pause?: true
  readonly resume?: { readonly speed?: number }
  readonly step?: {
    readonly milliseconds: number
    readonly until?: StepGoal
    /** Ends when no object has changed for so long. */
    readonly idleMilliseconds?: number
  }
  /** Ends the step that is under way. */
  readonly cut?: true
}

export interface TimePathsOptions {
  readonly clock: AdjustableClock | undefined
  readonly store: Store
  readonly client: Client
}

export const slowest = 0.001
export const fastest = 10_000
export const longestStepMs = 366 * 86_400_000
const notAdjustable = 'the cluster uses the wall clock. Start it with rollcall up --paused or --speed'

const conflict = (message: string) => failure(409, 'Conflict', message, {})

/** Undefined for other paths. */
export function answerClock({ clock, store, client }: TimePathsOptions) {
  let steps = 0
  let last: FinishedStep | undefined
  let progress: (() => StepProgress) | undefined

  const status = (): ClockStatus => ({
    now: formatMicroTime(clock?.now() ?? realClock.now()),
    wall: formatMicroTime(realClock.now()),
    speed: clock?.speed ?? 1,
    paused: clock?.isPaused ?? false,
    adjustable: clock !== undefined,
    ...(progress && { step: progress() }),
    ...(last && { lastStep: last }),
  })

  const startStep = (clock: AdjustableClock, { milliseconds, until, idleMilliseconds }: NonNullable<ClockOrder['step']>) => {
    if (!(milliseconds > 0 && milliseconds <= longestStepMs)) throw badRequestError('cannot step: give a length from 1 ms to 366 days')
    if (!clock.isPaused) throw conflict('cannot step: time is running; stop it first with rollcall pause')
    if (progress !== undefined) throw conflict('cannot step: another step is under way')
    const isMet = until && readGoal(client, until)
    const summary = watchStep(store)
    const fromMs = clock.now()
    const id = ++steps
    const idle = idleMilliseconds === undefined ? undefined : watchIdle(clock, idleMilliseconds)
    let askedAt = -1
    summary.onChange = () => idle?.onChange()
    const isDone = async () => {
      if (idle?.isIdle()) return true
      if (isMet === undefined || askedAt === store.revision) return false
      askedAt = store.revision
      return isMet()
    }
    progress = () => ({
      id,
      from: formatMicroTime(fromMs),
      until: formatMicroTime(fromMs + milliseconds),
      events: clock.step?.events ?? 0,
      ...summary.take(),
    })
    let isCut = false
    cut = () => {
      isCut = true
      clock.cutStep()
    }
    const finish = (end: FinishedStep['end'], events: number, message?: string) => {
      last = { ...progress!(), events, to: formatMicroTime(clock.now()), end, ...(message !== undefined && { message }) }
      progress = undefined
      idle?.stop()
      summary.stop()
    }
    clock.stepBy(milliseconds, { isDone }).then(
      ({ events, isDone }) => finish(isDone ? 'goal' : isCut ? 'cut' : 'time', events),
      (error: unknown) => finish('failed', 0, error instanceof Error ? error.message : String(error)),
    )
  }
  let cut = () => {}

  const obey = (order: ClockOrder) => {
    if (clock === undefined) throw conflict(notAdjustable)
    if (order.step !== undefined) startStep(clock, order.step)
    else if (order.cut) cut()
    else if (order.pause) clock.pause()
    else if (order.resume !== undefined) {
      const { speed = clock.speed } = order.resume
      if (!(speed >= slowest && speed <= fastest))
        throw badRequestError(`cannot run at speed ${speed}: give a number from ${slowest} to ${fastest}`)
      if (progress !== undefined) throw conflict('cannot let time run: a step is under way')
      clock.resume(speed)
    } else throw badRequestError('say what to do: pause, resume, step or cut')
  }

  return ({ method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown }) => {
    if (path !== clockPath) return undefined
    if (method === 'POST') {
      if (typeof body !== 'object' || body === null) throw badRequestError('say what to do: pause, resume, step or cut')
      obey(body as ClockOrder)
    } else if (method !== 'GET')
      throw failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
    return { body: status() }
  }
}

/** Quiet is when nothing has changed for so long. There is an event at that moment, so that a step ends there. */
function watchIdle(clock: AdjustableClock, quietMs: number) {
  let dueMs = clock.now() + quietMs
  let cancel = () => {}
  const wait = () => {
    cancel = clock.after(Math.max(0, dueMs - clock.now()), () => {
      if (clock.now() < dueMs) wait()
    })
  }
  wait()
  return {
    onChange() {
      dueMs = clock.now() + quietMs
    },
    isIdle: () => clock.now() >= dueMs,
    stop: () => cancel(),
  }
}
