// What is wrong with a run, compared with undisturbed ones. Pure.
import { addCount, getOrAdd } from '../../base/maps.ts'
import type { FaultPlan } from '../plan/fault-plan.ts'
import type { RunProblem, RunTrace, StoredChange, TracedRequest } from '../trace.ts'
import { type Difference, ExpectedEnd } from './compare-ends.ts'
import { Identities, normalized, parse } from './identity.ts'

export interface Finding {
  readonly type:
    | Difference['type']
    | 'created-again'
    | 'deleted'
    | 'oscillation'
    | 'error-loop'
    | 'expectation'
    | 'exit'
    | 'restless'
    | 'step'
    | 'memory'
  /** Equal for the same finding in other runs. */
  readonly signature: string
  readonly text: string
  /** The objects that the story is about. */
  readonly keys: readonly string[]
}

/** More returns to an earlier state than an undisturbed run had. */
const maxReturns = 3
const maxRepeatedErrors = 15
/** The memory of a run with a few faults, beyond that of an undisturbed one. */
const maxMemoryFactor = 4
const minLeakBytes = 200 * 2 ** 20

export class Judge {
  readonly #undisturbed: readonly RunTrace[]
  readonly #identities: Identities
  /** After the start, and after each step. */
  readonly #expected: readonly ExpectedEnd[]

  constructor(undisturbed: readonly RunTrace[]) {
    this.#undisturbed = undisturbed
    this.#identities = new Identities(undisturbed)
    const steps = undisturbed[0]?.stepEnds.length ?? 0
    this.#expected = Array.from({ length: steps + 1 }, (_, step) => {
      const ends = undisturbed.map(({ stepEnds, end }) => (step < steps ? (stepEnds[step] ?? new Map<string, string>()) : end))
      return new ExpectedEnd(ends, this.#identities)
    })
  }

  /** The signatures of what differs after this step. */
  differencesAt(end: ReadonlyMap<string, string>, step: number): string[] {
    return (this.#expected[step]?.differences(end) ?? []).map(differenceSignature)
  }

  judge(trace: RunTrace, plan: FaultPlan): Finding[] {
    return [
      ...this.#problems(trace),
      ...this.#differences(trace),
      ...this.#histories(trace, plan),
      ...this.#oscillations(trace),
      ...this.#errorLoops(trace),
      ...this.#leak(trace),
    ]
  }

  #keysOf(identity: string, trace: RunTrace): string[] {
    const keys = new Set(
      trace.changes.filter(({ key, after, before }) => this.#identities.of(key, (after ?? before)!) === identity).map(({ key }) => key),
    )
    return [...keys]
  }

  /** The first step after which the objects differ, and how they do: what follows may be a consequence. */
  #differences(trace: RunTrace): Finding[] {
    const last = trace.stepEnds.length
    for (let step = 0; step <= last; step++) {
      const end = step < last ? trace.stepEnds[step] : trace.end
      const found = end === undefined ? [] : (this.#expected[step]?.differences(end) ?? [])
      if (found.length === 0) continue
      const when = step === last ? '' : step === 0 ? 'after the start, ' : `after step ${step}, `
      return found
        .sort((a, b) => importance.indexOf(a.type) - importance.indexOf(b.type))
        .map((difference) => {
          const { type, identity, expected, found: actual } = difference
          const text = `${when}${describe(difference, expected, actual)}`
          return { type, signature: differenceSignature(difference), text, keys: this.#keysOf(identity, trace) }
        })
    }
    return []
  }

  *#problems(trace: RunTrace): Generator<Finding> {
    const known = new Set(this.#undisturbed.flatMap(({ problems }) => problems.map(signatureOf)))
    for (const problem of trace.problems) {
      const signature = signatureOf(problem)
      if (known.has(signature)) continue
      known.add(signature)
      const text = problem.type === 'expectation' ? `the expectation does not hold: ${problem.text}` : problem.text
      yield { type: problem.type, signature, text, keys: [] }
    }
  }

  /** What the program created or deleted more often than in any undisturbed run. */
  *#histories(trace: RunTrace, plan: FaultPlan): Generator<Finding> {
    const known = this.#undisturbed.map((one) => this.#counts(one))
    const own = this.#counts(trace)
    const usualDeletes = (identity: string) => Math.max(...known.map((one) => one.get(`delete ${identity}`)?.count ?? 0))
    for (const [name, { count, keys }] of own) {
      const usual = Math.max(...known.map((one) => one.get(name)?.count ?? 0))
      const [type = '', identity = ''] = name.split(' ')
      const isDelete = type === 'delete'
      // Replaced or surplus objects that the program itself removed again, after a response was lost.
      const healed = isDelete
        ? 0
        : Math.min(lostCreates(plan, identity), (own.get(`delete ${identity}`)?.count ?? 0) - usualDeletes(identity))
      if (count <= usual + Math.max(0, isDelete ? lostCreates(plan, identity) : healed)) continue
      const text = isDelete
        ? `${identity} was deleted ${times(count)}, and ${usual === 0 ? 'never' : times(usual)} without faults`
        : `${identity} was created ${times(count)}, and ${usual === 0 ? 'never' : times(usual)} without faults`
      yield { type: isDelete ? 'deleted' : 'created-again', signature: `${type} ${identity}`, text, keys }
    }
  }

  #counts(trace: RunTrace): Map<string, { count: number; keys: string[] }> {
    const counts = new Map<string, { count: number; keys: string[] }>()
    for (const { type, key, after, before, by } of trace.changes) {
      // What others do in consequence, such as replacing a pod, depends on time.
      if (type === 'update' || (by === undefined && !key.startsWith('persistentvolumeclaims/'))) continue
      const entry = getOrAdd(counts, `${type} ${this.#identities.of(key, (after ?? before)!)}`, () => ({ count: 0, keys: [] }))
      entry.count++
      if (!entry.keys.includes(key)) entry.keys.push(key)
    }
    return counts
  }

  *#oscillations(trace: RunTrace): Generator<Finding> {
    const known = this.#undisturbed.map(returnsOf)
    for (const [key, returns] of returnsOf(trace)) {
      const usual = Math.max(...known.map((one) => one.get(key) ?? 0))
      if (returns <= usual + maxReturns) continue
      yield {
        type: 'oscillation',
        signature: `oscillation ${key}`,
        text: `${key} went back to an earlier state ${times(returns)}`,
        keys: [key],
      }
    }
  }

  *#errorLoops(trace: RunTrace): Generator<Finding> {
    const known = this.#undisturbed.map(errorsOf)
    for (const [name, count] of errorsOf(trace)) {
      const usual = Math.max(...known.map((one) => one.get(name) ?? 0))
      if (count <= maxRepeatedErrors + 3 * usual) continue
      yield { type: 'error-loop', signature: `error-loop ${name}`, text: `${name} failed ${times(count)}`, keys: [] }
    }
  }

  *#leak({ residentBytes }: RunTrace): Generator<Finding> {
    const usual = Math.max(...this.#undisturbed.map((one) => one.residentBytes))
    if (residentBytes < Math.max(minLeakBytes, usual * maxMemoryFactor)) return
    const text = `the program used ${Math.round(residentBytes / 2 ** 20)} MB, and ${Math.round(usual / 2 ** 20)} MB without faults`
    yield { type: 'memory', signature: 'memory', text, keys: [] }
  }
}

const differenceSignature = ({ type, identity, path }: Difference) => `${type} ${identity} ${path}`

const importance: readonly Difference['type'][] = ['stuck', 'missing', 'left-behind', 'different']

const times = (n: number) => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`)

/** A create whose response was lost may be repeated under another generated name: the program cannot know. */
function lostCreates({ faults }: FaultPlan, identity: string): number {
  const plural = identity.split('/', 1)[0]!.split('.', 1)[0]!
  if (!identity.endsWith('*')) return 0
  return faults.filter((fault) => 'at' in fault && fault.at.verb === 'create' && fault.at.plural === plural).length
}

function describe({ type, identity, path }: Difference, expected: string, found: string): string {
  if (type === 'left-behind') return `${identity} is left behind: ${found}, and ${expected} without faults`
  if (type === 'missing') return `${identity} is missing: ${found}, and ${expected} without faults`
  if (type === 'stuck') return `${identity} is being deleted and never goes: a finalizer remains`
  return `${identity} ends with ${path} ${found}, and with ${expected} without faults`
}

const signatureOf = ({ type, text }: RunProblem) => (type === 'exit' ? 'exit' : type === 'restless' ? 'restless' : `${type} ${text}`)

/** How often an object went back to a state that it had left. */
function returnsOf({ changes }: RunTrace): Map<string, number> {
  const seen = new Map<string, Set<string>>()
  const last = new Map<string, string>()
  const returns = new Map<string, number>()
  const isOfProgram = ({ by }: StoredChange) => by !== undefined
  for (const change of changes.filter(isOfProgram)) {
    const { key, after } = change
    if (after === undefined) continue
    const state = JSON.stringify(normalized(parse(after)))
    const states = getOrAdd(seen, key, () => new Set())
    if (states.has(state) && last.get(key) !== state) addCount(returns, key, 1)
    states.add(state)
    last.set(key, state)
  }
  return returns
}

/** The requests that were refused, by what they asked for. */
function errorsOf({ requests }: RunTrace): Map<string, number> {
  const errors = new Map<string, number>()
  const nameOf = ({ verb, plural, subresource, namespace, name, code }: TracedRequest) =>
    `${verb} ${plural}${subresource === '' ? '' : `/${subresource}`} ${namespace}/${name} (${code})`
  for (const request of requests) if (request.code >= 400) addCount(errors, nameOf(request), 1)
  return errors
}
