// Carries out the faults of a plan as the program's requests arrive.
import { getOrAdd } from '../../base/maps.ts'
import { type CallSelection, isWrite } from '../../cluster/faults/call-selection.ts'
import type { ClientFaults } from '../../cluster/faults/client-faults.ts'
import type { RunningRule } from '../../cluster/faults/client-rules.ts'
import type { ApiCall, RequestFault } from '../../server/http/request-faults.ts'
import { describeFault, type FaultPlan, type HoldEnd, type PlannedFault, type RequestAddress } from '../plan/fault-plan.ts'

interface PlannedFaultsOptions {
  readonly plan: FaultPlan
  readonly faults: ClientFaults
  kill(restart: 'at-once' | 'next-step'): void
  /** Suspends the program, and starts a second instance. */
  takeOver(): void
  /** The revision at which the object was last marked for deletion. */
  terminatingRevision(key: string): number | undefined
  /** The newest revision of the store. */
  revision(): number
  /** Whether the request belongs to an election, and is not counted. */
  isElection(call: ApiCall): boolean
  note(text: string): void
}

interface Hold {
  readonly rule: RunningRule
  readonly fault: Extract<PlannedFault, { type: 'stale' | 'missed' | 'expired' }>
  /** The step in which it began. */
  readonly step: number
}

const programs: CallSelection = { users: ['program', 'program-2'] }

export class PlannedFaults {
  readonly #options: PlannedFaultsOptions
  readonly #counts = new Map<string, number>()
  readonly #waiting: Set<PlannedFault>
  #hasWaited = false
  #holds: Hold[] = []
  #step = 0

  constructor(options: PlannedFaultsOptions) {
    this.#options = options
    this.#waiting = new Set(options.plan.faults)
  }

  /** Whether every fault has occurred. */
  get hasOccurred(): boolean {
    return this.#waiting.size === 0
  }

  /** Whether events are held now. */
  get isHolding(): boolean {
    return this.#holds.length > 0
  }

  /** Whether minutes have to pass now, once. */
  takeLongWait(): boolean {
    const isDue = !this.#hasWaited && this.#holds.some(({ fault }) => fault.until === 'long')
    this.#hasWaited ||= isDue
    return isDue
  }

  beginStep(step: number): void {
    this.#step = step
    this.#counts.clear()
    for (const fault of [...this.#waiting])
      if (fault.type === 'absent' && fault.step === step) {
        this.#occurs(fault)
        this.#options.kill('next-step')
      } else if ('from' in fault && fault.from === step) this.#hold(fault)
  }

  /** The program is quiet: ends the holds that wait for it. Returns whether there were any. */
  endHolds(isLast: boolean): boolean {
    const isOver = (until: HoldEnd, step: number) => isLast || until === 'quiet' || this.#step > step
    const ending = this.#holds.filter(({ fault, step }) => isOver(fault.until, step))
    this.#holds = this.#holds.filter((hold) => !ending.includes(hold))
    const { faults, note } = this.#options
    for (const { rule, fault } of ending) {
      if (fault.type === 'expired') faults.remove(faults.add({ effect: 'expire', on: rule.rule.on }))
      faults.remove(rule)
      note(fault.type === 'expired' ? `the watches of ${fault.plural} end with 410` : `the events of ${fault.plural} are delivered`)
    }
    return ending.length > 0
  }

  /** Judges a request of any client. */
  judge(call: ApiCall): RequestFault | undefined {
    const { faults, isElection } = this.#options
    if (call.user !== 'program' || !isWrite(call) || isElection(call)) return faults.judge(call)
    const key = `${call.verb} ${call.plural}.${call.group}/${call.subresource ?? ''}`
    const nth = getOrAdd(this.#counts, key, () => 0) + 1
    this.#counts.set(key, nth)
    let onEnded: (() => void) | undefined
    for (const fault of [...this.#waiting]) {
      const address = 'at' in fault ? fault.at : 'from' in fault && typeof fault.from !== 'number' ? fault.from : undefined
      if (address !== undefined && isAddressed(address, call, this.#step, nth)) onEnded = this.#begin(fault, call) ?? onEnded
    }
    const found = faults.judge(call)
    if (onEnded === undefined) return found
    const run = onEnded
    return {
      delayMs: 0,
      ...found,
      ended: (code, answer) => {
        run()
        found?.ended?.(code, answer)
      },
    }
  }

  /** Returns what happens when the request has been handled. */
  #begin(fault: PlannedFault, call: ApiCall): (() => void) | undefined {
    const { faults, kill, note, takeOver } = this.#options
    const on = selectionOf(call)
    switch (fault.type) {
      case 'stale':
      case 'missed':
      case 'expired':
        this.#hold(fault)
        return undefined
      case 'crash': {
        this.#occurs(fault)
        faults.add({ effect: fault.moment === 'before' ? 'cut' : 'lose', on, times: 1 })
        const crash = () => {
          kill(fault.restart)
          if (fault.stale === undefined) return
          const rule = faults.add({ effect: 'rewind', on: programs, back: this.#backTo(fault.stale) })
          const hold = { type: 'stale', from: 0, plural: 'every kind', until: 'quiet' } as const
          this.#holds.push({ rule, fault: hold, step: this.#step })
        }
        if (fault.moment === 'after') return crash
        crash()
        return undefined
      }
      case 'absent':
        return undefined
      case 'refused':
        this.#occurs(fault)
        faults.add({ effect: 'refuse', on, code: fault.code, times: fault.times })
        return undefined
      case 'lost-answer':
        this.#occurs(fault)
        faults.add({ effect: 'lose', on, times: 1 })
        return undefined
      case 'slow':
        this.#occurs(fault)
        faults.add({ effect: 'slow', on, delayMs: fault.delayMs, times: 1 })
        return undefined
      case 'takeover':
        this.#occurs(fault)
        takeOver()
        note('the program is suspended, and a second instance starts')
        return undefined
    }
  }

  #backTo(stale: number | { readonly terminating: string }): number {
    if (typeof stale === 'number') return stale
    const { revision, terminatingRevision } = this.#options
    return revision() - (terminatingRevision(stale.terminating) ?? revision())
  }

  #hold(fault: Hold['fault']): void {
    this.#occurs(fault)
    const rule = this.#options.faults.add({
      effect: fault.type === 'missed' ? 'merge' : 'hold',
      on: { ...programs, plurals: [fault.plural] },
    })
    this.#holds.push({ rule, fault, step: this.#step })
  }

  #occurs(fault: PlannedFault): void {
    this.#waiting.delete(fault)
    this.#options.note(describeFault(fault))
  }
}

function isAddressed({ verb, group, plural, subresource, step, nth }: RequestAddress, call: ApiCall, now: number, count: number): boolean {
  return (
    step === now &&
    nth === count &&
    verb === call.verb &&
    group === call.group &&
    plural === call.plural &&
    subresource === (call.subresource ?? '')
  )
}

const selectionOf = ({ user, verb, plural, subresource }: ApiCall): CallSelection => ({
  users: [user],
  verbs: [verb],
  plurals: [plural],
  subresources: [subresource ?? ''],
})
