// Elects one leader among the processes that share a Lease, with client-go's semantics and timings.
//
// Guarantees: at most one process has `isLeading() === true` at any time, as long as the clocks of the candidates run at about
// the same speed. A leader steps down `renewDeadlineMs` after it *sent* its last successful renewal; another candidate takes
// over no sooner than `leaseDurationMs` after it *observed* that renewal. A process that was suspended for longer than the
// deadline is no longer leading when it wakes up, before any of its timers has run: `isLeading` compares times, it does not
// wait to be notified.
// Caveat: a request that was handed to the operating system before the deadline can arrive after it.
// Kubernetes: k8s.io/client-go/tools/leaderelection.LeaderElector.*
import { leases } from '../../api/kinds.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { Lease, Stored } from '../../api/types.ts'
import { type CancelTimer, type Clock, sleep } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { expiryMs, type LeaseSpec, type ObservedLease, planLease, releasedSpec } from './plan-lease.ts'

export interface LeaderElectionTimings {
  /** How long other candidates wait after the last renewal that they observed. */
  readonly leaseDurationMs: number
  /** How long a leader tries to renew before it steps down. */
  readonly renewDeadlineMs: number
  /** The wait between two attempts. */
  readonly retryPeriodMs: number
}

interface LeaderElectionOptions extends Partial<LeaderElectionTimings> {
  readonly client: Client
  readonly clock: Clock
  /** Spreads the attempts of candidates that wait. */
  readonly random: Random
  readonly namespace: string
  /** Of the Lease. */
  readonly name: string
  /** Unique among the candidates. */
  readonly identity: string
  /** Called once: a process leads at most once, and ends when it no longer does. */
  onStartedLeading(): void
  /** The Lease was lost. Not called after `stop`. */
  onStoppedLeading(): void
  /** Called when the holder changes, also when it becomes this process. */
  onNewLeader?(identity: string): void
  onFailure?(error: unknown): void
}

export interface LeaderElection {
  isLeading(): boolean
  /** The holder that was observed last; empty when the Lease was released. */
  readonly leader: string | undefined
  /** Steps down and releases the Lease, so that another candidate need not wait for it to expire. */
  stop(): Promise<void>
}

/** Candidates wait between one and 2.2 retry periods, as in client-go. */
const jitterFactor = 1.2

/** Why these timings cannot be used, or undefined. */
export function timingsProblem({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: LeaderElectionTimings): string | undefined {
  if (!(leaseDurationMs > renewDeadlineMs)) return 'the lease duration must be greater than the renew deadline'
  if (!(renewDeadlineMs > jitterFactor * retryPeriodMs))
    return `the renew deadline must be greater than ${jitterFactor} times the retry period`
  if (!(leaseDurationMs >= 1000)) return 'the lease duration must be at least one second'
  if (!(retryPeriodMs > 0)) return 'the retry period must be greater than zero'
  return undefined
}

type State = 'candidate' | 'leading' | 'stopped'

export function startLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options
  const problem = timingsProblem({ leaseDurationMs, renewDeadlineMs, retryPeriodMs })
  if (problem !== undefined) throw new RangeError(`Cannot elect a leader: ${problem}`)
  const { client, clock, random, namespace, name, identity } = options
  let state: State = 'candidate'
  let observed: ObservedLease | undefined
  /** The Lease as this process wrote it last: a leader renews without reading. */
  let written: Stored<Lease> | undefined
  let heldUntilMs = Number.NEGATIVE_INFINITY
  let leader: string | undefined
  let cancelTimer: CancelTimer = () => {}
  let attempt: Promise<void> = Promise.resolve()

  const isLeading = () => state === 'leading' && clock.now() < heldUntilMs

  const observe = (next: ObservedLease | undefined) => {
    observed = next
    const holder = next?.spec.holderIdentity ?? ''
    if (next === undefined || holder === leader) return
    leader = holder
    if (holder !== '') options.onNewLeader?.(holder)
  }

  /** Resolves to whether the Lease is held, as far as this attempt knows. */
  const acquireOrRenew = async (sentAtMs: number): Promise<boolean> => {
    const lease = written ?? (await ignoring('NotFound', client.get(leases, { namespace, name })))
    // Measured after the read: the holder may have sent its renewal while the request was under way.
    const plan = planLease({ lease, observed, identity, leaseDurationMs, nowMs: clock.now() })
    observe(plan.observed)
    if (plan.action === 'wait') return false
    const stored = await writeLease(lease, plan.spec)
    written = stored
    observe({ spec: stored.spec ?? plan.spec, atMs: sentAtMs })
    return true
  }

  const writeLease = (lease: Stored<Lease> | undefined, spec: LeaseSpec): Promise<Stored<Lease>> =>
    lease === undefined
      ? client.create(leases, namespace, { metadata: { name, namespace }, spec })
      : client.update(leases, { ...lease, spec })

  const runAttempt = async () => {
    const sentAtMs = clock.now()
    let isHeld = false
    try {
      isHeld = await acquireOrRenew(sentAtMs)
    } catch (error) {
      // The version that was written is no longer the newest, or the answer was lost: the next attempt reads first.
      written = undefined
      if (!isStatusError(error, 'Conflict') && !isStatusError(error, 'AlreadyExists')) options.onFailure?.(error)
    }
    if (state === 'stopped') return
    // Measured from the moment of sending: an answer that took longer than the deadline proves nothing about now.
    if (isHeld) heldUntilMs = sentAtMs + renewDeadlineMs
    const isHeldNow = clock.now() < heldUntilMs
    if (state === 'candidate' && isHeld && isHeldNow) {
      state = 'leading'
      options.onStartedLeading()
    } else if (state === 'leading' && (!isHeldNow || isTakenOver(isHeld))) {
      loseLease()
      return
    }
    scheduleAttempt()
  }

  /** Another holder was read: waiting for the deadline would not bring the Lease back. */
  const isTakenOver = (isHeld: boolean) => !isHeld && leader !== identity && leader !== undefined && leader !== ''

  const loseLease = () => {
    state = 'stopped'
    cancelTimer()
    options.onStoppedLeading()
  }

  const leaderDelayMs = () => Math.min(retryPeriodMs, Math.max(heldUntilMs - clock.now(), 0))

  /** No later than when the Lease expires that was observed: another wait after that would only delay the take-over. */
  const candidateDelayMs = () => {
    const waitMs = retryPeriodMs * (1 + jitterFactor * random.next())
    const leftMs = observed === undefined ? 0 : expiryMs(observed) - clock.now()
    return leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs
  }

  const scheduleAttempt = () => {
    if (state === 'stopped') return
    cancelTimer = clock.after(state === 'leading' ? leaderDelayMs() : candidateDelayMs(), startAttempt)
  }

  // An attempt whose answer does not come must not hide that the deadline has passed.
  const startAttempt = () => {
    if (state === 'leading' && clock.now() >= heldUntilMs) {
      loseLease()
      return
    }
    const cancelWatchdog = state === 'leading' ? clock.after(heldUntilMs - clock.now(), () => state === 'leading' && loseLease()) : () => {}
    attempt = runAttempt().finally(cancelWatchdog)
  }

  startAttempt()

  return {
    isLeading,
    get leader() {
      return leader
    },
    async stop() {
      const wasLeading = isLeading()
      state = 'stopped'
      cancelTimer()
      // An attempt whose answer does not come is not waited for: the release then fails, and the Lease expires.
      await Promise.race([attempt, sleep(clock, retryPeriodMs)])
      if (!wasLeading || written === undefined) return
      try {
        await client.update(leases, { ...written, spec: releasedSpec(written.spec ?? {}, clock.now()) })
      } catch (error) {
        // Another candidate has it already, or takes over when it expires.
        if (!isStatusError(error, 'Conflict') && !isStatusError(error, 'NotFound')) options.onFailure?.(error)
      }
    },
  }
}
