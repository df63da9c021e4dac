// /rollcall/v1/clock: reads the time of the cluster, and controls it. For cluster administrators only.
import { badRequestError, failure } from '../../api/machinery/status-error.ts'
import type { AdjustableClock } from '../../base/adjustable-clock.ts'
import { formatMicroTime, realClock } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { Store } from '../../store/store.ts'
import { readGoal, type StepGoal, type StepSummary, watchStep } from './step.ts'

export const clockPath = '/rollcall/v1/clock'

/** The response of GET and of every POST. */
export interface ClockStatus {
  readonly now: string
  readonly wall: string
  readonly speed: number
  readonly paused: boolean
  /** Whether it can be paused, stepped, and run at another speed. */
  readonly adjustable: boolean
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
  /** `time`: the time has passed; `goal`: the condition is met; `cut`: a request ended it; `failed`: see `message`. */
  readonly end: 'time' | 'goal' | 'cut' | 'failed'
  readonly message?: string
}

/** Exactly one of the fields. */
export interface ClockOrder {
  readonly pause?: true
  readonly resume?: { readonly speed?: number | undefined }
  readonly step?: {
    readonly milliseconds: number
    readonly until?: StepGoal | undefined
    /** Ends when no object has changed for this time. */
    readonly idleMilliseconds?: number | undefined
  }
  /** Ends the step that is in progress. */
  readonly cut?: true
}

interface TimePathsOptions {
  readonly clock: AdjustableClock | undefined
  readonly store: Store
  readonly client: Client
}

const minSpeed = 0.001
const maxSpeed = 10_000
const maxStepMs = 366 * 86_400_000
const notAdjustable = 'the cluster uses the wall clock. Start it with rollcall up --paused or --speed'

const conflict = (message: string) => failure(409, 'Conflict', message, {})

/** Answers undefined for other paths. */
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
    if (!(milliseconds > 0 && milliseconds <= maxStepMs))
      throw badRequestError('cannot step by that duration. Give one from 1 ms to 366 days')
    if (!clock.isPaused) throw conflict('cannot step: time is running. Pause it first with rollcall pause')
    if (progress !== undefined) throw conflict('cannot step: another step is in progress')
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
      (error: unknown) => finish('failed', 0, messageOf(error)),
    )
  }
  let cut = () => {}

  const applyOrder = (order: ClockOrder) => {
    if (clock === undefined) throw conflict(notAdjustable)
    if (order.step !== undefined) startStep(clock, order.step)
    else if (order.cut) cut()
    else if (order.pause) clock.pause()
    else if (order.resume !== undefined) {
      const { speed = clock.speed } = order.resume
      if (!(speed >= minSpeed && speed <= maxSpeed))
        throw badRequestError(`cannot run at speed ${speed}. Give a number from ${minSpeed} to ${maxSpeed}`)
      if (progress !== undefined) throw conflict('cannot resume time: a step is in progress')
      clock.resume(speed)
    } else throw badRequestError('the request has no action. Send pause, resume, step or cut')
  }

  return ({ method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown }) => {
    if (path !== clockPath) return undefined
    if (method === 'POST') {
      if (typeof body !== 'object' || body === null) throw badRequestError('the request has no action. Send pause, resume, step or cut')
      applyOrder(body as ClockOrder)
    } else if (method !== 'GET')
      throw failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
    return { body: status() }
  }
}

/** Idle means that nothing has changed for `quietMs`. A timer fires at that moment, so that a step can end there. */
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
