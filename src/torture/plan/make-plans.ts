// Which faults are worth a run, from what an undisturbed run did. Pure: one seed gives one list.
import { getOrAdd } from '../../base/maps.ts'
import { type Random, seededPart } from '../../base/random.ts'
import { isMark, type RunTrace, type TracedRequest } from '../trace.ts'
import type { FaultPlan, HoldEnd, PlannedFault, RequestAddress } from './fault-plan.ts'

interface Candidate {
  readonly fault: PlannedFault
  /** Faults of one class show the same behaviour in other places: they take turns. */
  readonly className: string
  /** Low for faults that often show something. */
  readonly rank: number
}

/** Of the writes of one kind of request, this many are disturbed. */
const maxAddresses = 8

interface PlanInput {
  readonly trace: RunTrace
  readonly steps: number
  readonly seed: number
}

interface PlanList {
  /** The plan of that number, from 1. There are as many as the budget allows: after the single faults come pairs. */
  planAt(id: number): FaultPlan
  /** The number of plans with one fault. */
  readonly singles: number
  /** Plans that wait for minutes and use no processor meanwhile. */
  readonly long: readonly FaultPlan[]
}

export function makePlans({ trace, steps, seed }: PlanInput): PlanList {
  const random = seededPart(seed, 7)
  const candidates = [...absences(trace, steps), ...requestFaults(trace), ...eventFaults(trace, steps)]
  const isLong = ({ fault }: Candidate) => 'until' in fault && fault.until === 'long'
  const singles = takeTurns(
    candidates.filter((one) => !isLong(one)),
    random,
  )
  const long = takeTurns(candidates.filter(isLong), random)
  return {
    singles: singles.length,
    long: long.map((fault, i) => ({ id: -1 - i, faults: [fault] })),
    planAt(id) {
      const single = singles[id - 1]
      if (single !== undefined) return { id, faults: [single] }
      const own = seededPart(seed, 1000 + id)
      const pick = () => singles[Math.floor(own.next() * singles.length)]
      return { id, faults: [pick(), pick()].filter((fault, i, all) => fault !== undefined && all.indexOf(fault) === i) as PlannedFault[] }
    },
  }
}

/**
 * One of each class, then the second of each, and so on; classes that rarely show something new begin later. The order within a turn is random.
 */
function takeTurns(candidates: readonly Candidate[], random: Random): PlannedFault[] {
  const turns = new Map<string, number>()
  return candidates
    .map(({ fault, className, rank }) => {
      const turn = turns.get(className) ?? 0
      turns.set(className, turn + 1)
      return { fault, at: turn + rank + random.next() * 0.9 }
    })
    .sort((a, b) => a.at - b.at)
    .map(({ fault }) => fault)
}

const nameOf = ({ verb, plural, subresource }: Pick<TracedRequest, 'verb' | 'plural' | 'subresource'>) => `${verb} ${plural}/${subresource}`

interface AddressedWrite {
  readonly address: RequestAddress
  readonly request: TracedRequest
}

/** The writes that changed something: the first and the last of each kind, then those in between. */
function addressesOf(trace: RunTrace): AddressedWrite[][] {
  const counts = new Map<string, number>()
  const byName = new Map<string, AddressedWrite[]>()
  for (const request of trace.requests) {
    const name = nameOf(request)
    const { verb, group, plural, subresource, step } = request
    const nth = (counts.get(`${name} ${step}`) ?? 0) + 1
    counts.set(`${name} ${step}`, nth)
    if (request.change === undefined) continue
    getOrAdd(byName, name, () => []).push({ address: { verb, group, plural, subresource, step, nth }, request })
  }
  return [...byName.values()].map((all) => {
    const last = all.at(-1)!
    return [...new Set([all[0]!, last, ...all.slice(1, maxAddresses - 1)])]
  })
}

/** Of the steps in which anything changed: the program has to make up for them when it starts. They are few, and come first. */
function* absences(trace: RunTrace, steps: number): Generator<Candidate> {
  for (let step = 1; step <= steps; step++)
    if (trace.changes.some((change) => change.step === step))
      yield { rank: -1, className: `absent ${step}`, fault: { type: 'absent', step } }
}

function* requestFaults(trace: RunTrace): Generator<Candidate> {
  const elects = [...trace.reads.keys()].some((read) => read.endsWith(' leases'))
  const changed = watchedChanges(trace)
  const firstRevision = trace.changes[0]?.revision ?? 0
  const recreated = recreatedKeys(trace, changed)
  for (const writes of addressesOf(trace))
    for (const { address: at, request } of writes) {
      const name = nameOf(request)
      const candidate = (rank: number, kind: string, fault: PlannedFault): Candidate => ({ rank, className: `${kind} ${name}`, fault })
      yield candidate(0, 'crash after', { type: 'crash', at, moment: 'after', restart: 'at-once' })
      yield candidate(1, 'crash before', { type: 'crash', at, moment: 'before', restart: 'at-once' })
      yield candidate(1, 'crash next-step', { type: 'crash', at, moment: 'after', restart: 'next-step' })
      yield candidate(0, 'lost-answer', { type: 'lost-answer', at })
      yield candidate(1, 'refused 500', { type: 'refused', at, code: 500, times: 1 })
      if (request.verb === 'update') yield candidate(3, 'refused 409', { type: 'refused', at, code: 409, times: 1 })
      yield candidate(3, 'refused 504', { type: 'refused', at, code: 504, times: 3 })
      yield candidate(4, 'refused 429', { type: 'refused', at, code: 429, times: 1 })
      yield candidate(4, 'slow', { type: 'slow', at, delayMs: 300 })
      if (elects) yield candidate(3, 'takeover', { type: 'takeover', at })
      const age = request.revision - firstRevision + 1
      for (const back of new Set([1, Math.ceil(age / 2), age]))
        if (back > 0) yield candidate(2, 'crash stale', { type: 'crash', at, moment: 'after', restart: 'at-once', stale: back })
      for (const key of recreated.get(request.step) ?? [])
        yield candidate(-0.5, `crash terminating ${key}`, {
          type: 'crash',
          at,
          moment: 'after',
          restart: 'at-once',
          stale: { terminating: key },
        })
      for (const plural of changed.keys()) {
        const until: readonly HoldEnd[] = ['quiet', 'next-step']
        for (const end of until) {
          const rank = (plural === request.plural ? 0 : 1) + (end === 'quiet' ? 0 : 0.5)
          yield candidate(rank, `stale ${plural} ${end}`, { type: 'stale', from: at, plural, until: end })
          yield candidate(rank + 2, `missed ${plural} ${end}`, { type: 'missed', from: at, plural, until: end })
        }
        yield candidate(3, `expired ${plural}`, { type: 'expired', from: at, plural, until: 'quiet' })
      }
    }
}

function* eventFaults(trace: RunTrace, steps: number): Generator<Candidate> {
  const written = new Set(trace.requests.filter(({ change }) => change !== undefined).map(({ plural }) => plural))
  for (const [plural, changes] of watchedChanges(trace)) {
    for (let step = 1; step <= steps; step++) {
      if (!changes.some((change) => change.step >= step)) continue
      for (const type of ['stale', 'missed', 'expired'] as const)
        for (const until of ['next-step', 'quiet'] as const)
          yield { rank: 1, className: `${type} ${plural} ${until} step`, fault: { type, from: step, plural, until } }
    }
    const first = trace.changes.find(({ by }) => by?.plural === plural)
    if (written.has(plural) && first?.by !== undefined)
      yield { rank: 0, className: `long ${plural}`, fault: { type: 'stale', from: first.step, plural, until: 'long' } }
  }
}

/** The objects of watched kinds that were marked for deletion and then created again under their name, by the step in which that happened. */
function recreatedKeys(trace: RunTrace, watched: ReturnType<typeof watchedChanges>): Map<number, Set<string>> {
  const marked = new Set<string>()
  const found = new Map<number, Set<string>>()
  for (const change of [...watched.values()].flat()) {
    if (isMark(change)) marked.add(change.key)
    else if (change.type === 'create' && marked.has(change.key)) getOrAdd(found, change.step, () => new Set()).add(change.key)
  }
  return found
}

/** What happened to the kinds that the program watches: faults of other kinds have no effect. */
function watchedChanges(trace: RunTrace): Map<string, RunTrace['changes'][number][]> {
  const byPlural = new Map<string, RunTrace['changes'][number][]>()
  for (const change of trace.changes) {
    const plural = change.key.split('/', 1)[0]!.split('.', 1)[0]!
    if (trace.watched.has(plural)) getOrAdd(byPlural, plural, () => []).push(change)
  }
  return byPlural
}
