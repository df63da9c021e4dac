// The faults of one run, as data: a replay file contains them.

/** The n-th request of its kind that the program sends in a step: "the 3rd PATCH of statefulsets in step 2". */
export interface RequestAddress {
  readonly verb: string
  readonly group: string
  readonly plural: string
  /** '' is the object itself. */
  readonly subresource: string
  /** 0 is the start of the program. */
  readonly step: number
  /** In that step, from 1. */
  readonly nth: number
}

/** Until when events are held: the program is quiet, or is quiet after the next step, or for minutes of real time. */
export type HoldEnd = 'quiet' | 'next-step' | 'long'

export type PlannedFault =
  /**
   * The program is killed, and starts again: at once, or after the next step. `stale`: its first lists come from this many revisions earlier, or from when the
   * object of that key was terminating.
   */
  | {
      readonly type: 'crash'
      readonly at: RequestAddress
      readonly moment: 'before' | 'after'
      readonly restart: 'at-once' | 'next-step'
      readonly stale?: number | { readonly terminating: string }
    }
  /** The program does not run while this step happens, and starts after it. */
  | { readonly type: 'absent'; readonly step: number }
  /** Events of one kind are held from this request, or from the beginning of this step. */
  | { readonly type: 'stale'; readonly from: RequestAddress | number; readonly plural: string; readonly until: HoldEnd }
  /** Likewise, and several events of one object become one. */
  | { readonly type: 'missed'; readonly from: RequestAddress | number; readonly plural: string; readonly until: HoldEnd }
  /** The watches of this kind end with 410 after the events were held. */
  | { readonly type: 'expired'; readonly from: RequestAddress | number; readonly plural: string; readonly until: HoldEnd }
  | { readonly type: 'refused'; readonly at: RequestAddress; readonly code: 409 | 429 | 500 | 504; readonly times: number }
  | { readonly type: 'lost-answer'; readonly at: RequestAddress }
  | { readonly type: 'slow'; readonly at: RequestAddress; readonly delayMs: number }
  /** The program is suspended before this write, a second instance takes over, and the first then continues. */
  | { readonly type: 'takeover'; readonly at: RequestAddress }

export interface FaultPlan {
  readonly id: number
  readonly faults: readonly PlannedFault[]
}

const ordinal = (n: number) => `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : Math.min(n % 10, 4) % 4] ?? 'th'}`

const describeAddress = ({ verb, plural, subresource, step, nth }: RequestAddress): string =>
  `${ordinal(nth)} ${verb} of ${plural}${subresource === '' ? '' : `/${subresource}`} in ${step === 0 ? 'the start' : `step ${step}`}`

const endTexts: Readonly<Record<HoldEnd, string>> = {
  quiet: 'until the program is quiet',
  'next-step': 'until after the next step',
  long: 'for minutes',
}

const describeFrom = (from: RequestAddress | number) =>
  typeof from === 'number' ? `from step ${from} on` : `after the ${describeAddress(from)}`

type Staleness = Extract<PlannedFault, { type: 'crash' }>['stale']

function describeStale(stale: Staleness): string {
  if (stale === undefined) return ''
  return typeof stale === 'number'
    ? ` with lists of ${stale} revisions earlier`
    : ` with lists from when ${stale.terminating} was terminating`
}

export function describeFault(fault: PlannedFault): string {
  switch (fault.type) {
    case 'crash': {
      const restart = fault.restart === 'at-once' ? 'restarts' : 'restarts after the next step'
      return `crash ${fault.moment} the ${describeAddress(fault.at)}; the program ${restart}${describeStale(fault.stale)}`
    }
    case 'absent':
      return `the program does not run during step ${fault.step}`
    case 'stale':
      return `stale cache of ${fault.plural} ${describeFrom(fault.from)}, ${endTexts[fault.until]}`
    case 'missed':
      return `events of ${fault.plural} become one ${describeFrom(fault.from)}, ${endTexts[fault.until]}`
    case 'expired':
      return `watch of ${fault.plural} ends with 410 after a pause ${describeFrom(fault.from)}, ${endTexts[fault.until]}`
    case 'refused':
      return `${fault.code} for the ${describeAddress(fault.at)}${fault.times > 1 ? ` and ${fault.times - 1} more` : ''}`
    case 'lost-answer':
      return `lost response to the ${describeAddress(fault.at)}, which was carried out`
    case 'slow':
      return `${fault.delayMs} ms for the ${describeAddress(fault.at)}`
    case 'takeover':
      return `a second instance takes over at the ${describeAddress(fault.at)}; the first continues later`
  }
}

const families: Readonly<Partial<Record<PlannedFault['type'], string>>> = { absent: 'crash', missed: 'stale', expired: 'stale' }

/** Equal for faults that show the same mistake in another place. */
export const classOf = ({ faults }: FaultPlan): string =>
  faults.map((fault) => `${families[fault.type] ?? fault.type}${'plural' in fault ? ` ${fault.plural}` : ''}`).join(', ')

export const describePlan = ({ faults }: FaultPlan): string => (faults.length === 0 ? 'no fault' : faults.map(describeFault).join('; and '))
