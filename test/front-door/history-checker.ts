// Checks that concurrent clients observed one sequence of changes. Every change has its own revision, so that the order is known: each
// response must fit a state that was current at some moment between the request and the arrival of the response.

export interface Version {
  readonly revision: number
  readonly value: string
}

/** `start` and `end` are positions in one sequence of the starts and ends of all operations: one that ended before another started precedes it. */
interface Timed {
  readonly start: number
  /** Infinity: there was no response. */
  readonly end: number
}

export type Operation = Timed &
  (
    | { readonly verb: 'get'; readonly key: string; readonly found: Version | undefined }
    | { readonly verb: 'list'; readonly revision: number; readonly items: ReadonlyMap<string, Version> }
    | (Attempt & { readonly outcome: 'done'; readonly revision?: number })
    | (Attempt & { readonly outcome: 'conflict' | 'exists' | 'absent' | 'unknown' })
  )

interface Attempt {
  readonly verb: 'create' | 'update' | 'delete'
  readonly key: string
  /** A unique value. Absent: a deletion. */
  readonly value?: string
  /** The revision on which the write depends. */
  readonly expected?: number
}

/** A change as a watch reports it. Without a value: a deletion. */
export interface Change {
  readonly revision: number
  readonly key: string
  readonly value?: string
}

export interface History {
  readonly operations: readonly Operation[]
  readonly changes: readonly Change[]
  /** Whether the watch reported every change. After a restart some may be missing, and answers fill them in. */
  readonly isComplete: boolean
}

/** One sentence for each inconsistency. */
export function findProblems({ operations, changes, isComplete }: History): string[] {
  const problems: string[] = []
  const log = new Map<number, Change>()
  const add = (change: Change, source: string, mayBeNew: boolean) => {
    const known = log.get(change.revision)
    if (known === undefined && !mayBeNew) problems.push(`${source} has ${format(change)}, which no watcher was sent`)
    if (known === undefined) log.set(change.revision, change)
    else if (known.key !== change.key || known.value !== change.value)
      problems.push(`${source} has ${format(change)}, and another has ${format(known)}`)
  }
  let last = 0
  for (const change of changes) {
    if (change.revision <= last) problems.push(`the watch went back from ${last} to ${change.revision}`)
    last = Math.max(last, change.revision)
    add(change, 'the watch', true)
  }
  for (const operation of operations) {
    const source = describe(operation)
    if (operation.verb === 'get') {
      if (operation.found !== undefined) add({ key: operation.key, ...operation.found }, source, !isComplete)
    } else if (operation.verb === 'list') for (const [key, version] of operation.items) add({ key, ...version }, source, !isComplete)
    else if (operation.outcome === 'done' && operation.revision !== undefined)
      add(
        { key: operation.key, revision: operation.revision, ...(operation.value !== undefined && { value: operation.value }) },
        source,
        !isComplete,
      )
  }
  const sorted = [...log.values()].sort((a, b) => a.revision - b.revision)
  const byKey = new Map<string, Change[]>()
  for (const change of sorted) {
    const own = byKey.get(change.key)
    if (own === undefined) byKey.set(change.key, [change])
    else own.push(change)
  }
  const state = { sorted, byKey, startOf: checkOrigins(operations, sorted, problems) }
  checkOperations(operations, state, problems)
  return problems
}

interface State {
  readonly sorted: readonly Change[]
  readonly byKey: ReadonlyMap<string, readonly Change[]>
  /** When the write of a value was sent. */
  readonly startOf: ReadonlyMap<string, number>
}

/** Every value in the log was written once, by a write that was not refused. */
function checkOrigins(operations: readonly Operation[], sorted: readonly Change[], problems: string[]): Map<string, number> {
  const startOf = new Map<string, number>()
  for (const operation of operations)
    if ('value' in operation && (operation.outcome === 'done' || operation.outcome === 'unknown'))
      startOf.set(operation.value!, operation.start)
  const written = new Set<string>()
  for (const { value, revision } of sorted) {
    if (value === undefined) continue
    if (!startOf.has(value)) problems.push(`revision ${revision} has ${value}, which no client wrote`)
    if (written.has(value)) problems.push(`${value} was written twice, the second time at revision ${revision}`)
    written.add(value)
  }
  return startOf
}

function checkOperations(operations: readonly Operation[], state: State, problems: string[]): void {
  const ended = [...operations].sort((a, b) => a.end - b.end)
  let at = 0
  /** The newest revision that a client knew of before the operation started: older states are stale. */
  let floor = 0
  for (const operation of [...operations].sort((a, b) => a.start - b.start)) {
    for (; at < ended.length && ended[at]!.end < operation.start; at++) floor = Math.max(floor, revisionOf(ended[at]!))
    const problem = problemOf(operation, floor, state)
    if (problem !== undefined) problems.push(`${describe(operation)}: ${problem}`)
  }
}

function revisionOf(operation: Operation): number {
  if (operation.verb === 'get') return operation.found?.revision ?? 0
  return 'revision' in operation ? (operation.revision ?? 0) : 0
}

function problemOf(operation: Operation, floor: number, state: State): string | undefined {
  const isEarly = (value: string | undefined) => value !== undefined && (state.startOf.get(value) ?? 0) > operation.end
  if (operation.verb === 'list') {
    if (operation.revision < floor) return `its revision ${operation.revision} is stale: ${floor} was known before`
    return listProblem(operation.revision, operation.items, state)
  }
  const own = state.byKey.get(operation.key) ?? []
  const present = (is: boolean) => hasState(own, floor, operation.end, is, state)
  if (operation.verb === 'get') {
    if (operation.found === undefined) return present(false) ? undefined : 'found nothing, though the object was there all the time'
    const { revision, value } = operation.found
    if (isEarly(value)) return `found ${value} before it was written`
    const next = own[countUpTo(own, revision)]
    return next !== undefined && next.revision <= floor ? `found revision ${revision}, though ${next.revision} was known before` : undefined
  }
  switch (operation.outcome) {
    case 'unknown':
      return undefined
    case 'exists':
      return present(true) ? undefined : 'was refused because the object exists, and it did not'
    case 'absent':
      return present(false) ? undefined : 'was refused because the object does not exist, and it did'
    case 'conflict':
      return someAfter(own, operation.expected!, ({ value }) => !isEarly(value))
        ? undefined
        : `was refused although nothing has changed since ${operation.expected}`
    case 'done':
      return operation.revision === undefined ? undefined : writeProblem(operation, operation.revision, floor, own)
  }
}

function writeProblem({ verb, expected }: Attempt, revision: number, floor: number, own: readonly Change[]): string | undefined {
  if (revision <= floor) return `was given revision ${revision}, though ${floor} was known before`
  const previous = own[countUpTo(own, revision - 1) - 1]
  if (verb === 'create' && previous?.value !== undefined) return `replaced revision ${previous.revision}`
  if (expected !== undefined && previous?.revision !== expected)
    return `replaced revision ${previous?.revision ?? 'nothing'}, and expected ${expected}`
  return undefined
}

/** Whether the object existed, or did not exist, in a state from `floor` on that can have been observed before `end`. */
function hasState(own: readonly Change[], floor: number, end: number, isPresent: boolean, { startOf }: State): boolean {
  const current = own[countUpTo(own, floor) - 1]
  if ((current?.value !== undefined) === isPresent) return true
  return someAfter(
    own,
    floor,
    ({ value }) => (value !== undefined) === isPresent && (value === undefined || (startOf.get(value) ?? 0) <= end),
  )
}

/** How many of the changes, which are sorted, are not newer than the revision. */
function countUpTo(sorted: readonly Change[], revision: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.revision <= revision) low = middle + 1
    else high = middle
  }
  return low
}

function someAfter(sorted: readonly Change[], revision: number, is: (change: Change) => boolean): boolean {
  for (let i = countUpTo(sorted, revision); i < sorted.length; i++) if (is(sorted[i]!)) return true
  return false
}

function listProblem(revision: number, items: ReadonlyMap<string, Version>, { byKey }: State): string | undefined {
  for (const [key, own] of byKey) {
    const there = own[countUpTo(own, revision) - 1]
    const found = items.get(key)
    const expected = there?.value === undefined ? undefined : there.revision
    if (found?.revision !== expected)
      return `at ${revision} it has ${key} of revision ${found?.revision ?? 'none'}, and the log has ${expected ?? 'none'}`
  }
  return undefined
}

const format = ({ revision, key, value }: Change) => `${key} = ${value ?? 'deleted'} at ${revision}`

const describe = (operation: Operation) =>
  operation.verb === 'list' ? `the list of ${operation.start}` : `${operation.verb} ${operation.key} of ${operation.start}`
