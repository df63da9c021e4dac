// Trace files: JSON with one change on each line. They are checked completely before they are used.
import { isJsonObject } from '../../api/machinery/json-object.ts'
import { InputError } from '../rollout/input-error.ts'
import type { Change, Trace } from '../rollout/trace.ts'
import { type Check, hasShape, isAbsentOr, isAmount, isCount, isFlag, isListOf, isOneOf, isText } from './shapes.ts'

const traceFormat = 'rollcall.trace/1'

export function formatTrace({ changes, ...trace }: Trace): string {
  const head = JSON.stringify(trace).slice(0, -1)
  return `${head},"changes":[\n${changes.map((change) => JSON.stringify(change)).join(',\n')}\n]}\n`
}

/** The kinds of changes, and their shapes. */
const shapes: Readonly<Record<string, Check>> = {
  pod: hasShape({
    uid: isText,
    name: isText,
    namespace: isText,
    owner: isAbsentOr(isText),
    revision: isAbsentOr(isText),
    node: isAbsentOr(isText),
    isReady: isFlag,
    isTerminating: isFlag,
    hasEnded: isFlag,
    isUnschedulable: isFlag,
    waitsFor: isAbsentOr(isOneOf('room', 'match')),
  }),
  set: hasShape({ uid: isText, name: isText, namespace: isText, owner: isAbsentOr(isText), revision: isAbsentOr(isCount) }),
  workload: hasShape({
    uid: isText,
    kind: isText,
    name: isText,
    namespace: isText,
    replicas: isCount,
    cap: isCount,
    generation: isCount,
    observedGeneration: isCount,
    availableReplicas: isCount,
    updatedReplicas: isCount,
    totalReplicas: isAbsentOr(isCount),
    keepsOld: isAbsentOr(hasShape({ pods: isCount, belowOrdinal: isCount })),
    conditions: isListOf(hasShape({ type: isText, status: isText, reason: isAbsentOr(isText), message: isAbsentOr(isText) })),
  }),
  node: hasShape({ name: isText, isReady: isFlag }),
  event: hasShape({ object: isText, reason: isText, message: isText }),
  step: isText,
  load: hasShape({ kind: isText, namespace: isText, name: isText, pods: isAmount, capacity: isAbsentOr(isAmount) }),
  gone: hasShape({ type: isOneOf('pod', 'set', 'workload', 'node'), id: isText }),
}

/** Throws an InputError that says what is wrong with the file. */
export function readTrace(value: unknown, name: string): Trace {
  const refuse = (what: string) => new InputError(`Cannot show ${name} as a trace: ${what}`)
  if (!isJsonObject(value)) throw refuse('it is not a JSON object')
  if (value['format'] !== traceFormat) throw refuse(describeFormat(value['format']))
  for (const [field, check] of [
    ['title', isText],
    ['startedAt', isText],
    ['endMs', isAmount],
    ['policy', isAbsentOr(isText)],
    ['hasAutoscaledNodes', isAbsentOr(isFlag)],
  ] as const)
    if (!check(value[field])) throw refuse(`"${field}" is ${shown(value[field])}`)
  const { changes, endMs } = value as { readonly changes?: unknown; readonly endMs: number }
  if (!Array.isArray(changes)) throw refuse('it has no list of changes')
  let lastMs = 0
  changes.forEach((change: unknown, index) => {
    const wrong = describeWrongChange(change)
    if (wrong !== undefined) throw refuse(`change ${index + 1} of ${changes.length}: ${wrong}`)
    const { atMs } = change as Change
    if (atMs < lastMs) throw refuse(`change ${index + 1} of ${changes.length} has an earlier time than the one before it`)
    lastMs = atMs
  })
  if (lastMs > endMs) throw refuse(`it ends at ${endMs} ms, before its last change at ${lastMs} ms`)
  return value as unknown as Trace
}

function describeFormat(format: unknown): string {
  if (typeof format !== 'string' || !format.startsWith('rollcall.')) return 'it has no "format" of Rollcall'
  return `its format is ${JSON.stringify(format)}, and this Rollcall reads ${JSON.stringify(traceFormat)}`
}

function describeWrongChange(change: unknown): string | undefined {
  if (!isJsonObject(change)) return 'it is not a JSON object'
  if (!isAmount(change['atMs'])) return `"atMs" is ${shown(change['atMs'])}`
  const known = Object.keys(shapes).filter((name) => Object.hasOwn(change, name))
  const [name, ...more] = known
  if (name === undefined || more.length > 0) return `it has ${known.length === 0 ? 'nothing that is known' : known.join(' and ')}`
  return shapes[name]!(change[name]) ? undefined : `its ${name} is damaged`
}

const shown = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60))
