// Turns recorded runs into a result that can be shown. Pure.
import { isJsonObject } from '../../api/machinery/json-object.ts'
import { InputError } from '../rollout/input-error.ts'
import type { SourceText } from '../rollout/manifests.ts'
import { measureTrace } from '../rollout/measure.ts'
import { endTogether } from '../rollout/prolonged.ts'
import { type Outcome, policies, type SimulationResult } from '../rollout/result.ts'
import type { Trace } from '../rollout/trace.ts'
import { startAtFirstStep } from './aligned-trace.ts'
import { readResult, resultFormat } from './result-file.ts'
import { readTrace } from './trace-file.ts'

/** A trace, or the result of a simulation. */
type Recorded = { readonly name: string } & ({ readonly trace: Trace } | { readonly result: SimulationResult })

/** Throws an InputError that says what is wrong with the file. */
export function readRecorded({ name, text }: SourceText): Recorded {
  const value = parse(name, text)
  if (isJsonObject(value) && value['format'] === resultFormat) return { name, result: readResult(value, name) }
  return { name, trace: readTrace(value, name) }
}

function parse(name: string, text: string): unknown {
  if (text.includes('\0')) throw new InputError(`Cannot show ${name}: it is not a text file`)
  if (text.trim() === '') throw new InputError(`Cannot show ${name}: it is empty`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError(`Cannot show ${name}: it is not JSON (${(error as Error).message.replaceAll('\n', ' ')}).`)
  }
}

export function replayedResult(recorded: readonly Recorded[], command: string): SimulationResult {
  const [first] = recorded
  // One result of a simulation is shown as it was.
  if (recorded.length === 1 && first !== undefined && 'result' in first) return { ...first.result, command }
  const titles = [...new Set(recorded.map((one) => ('trace' in one ? one.trace.title : one.result.title)))]
  return {
    format: resultFormat,
    title: titles.join(', '),
    command,
    sources: recorded.flatMap((one) => ('result' in one ? one.result.sources : [])),
    seed: 0,
    runs: 1,
    outcomes: endTogether(recorded.flatMap((one) => outcomesOf(recorded.length > 1 ? aligned(one) : one, shortName(one.name, recorded)))),
  }
}

const aligned = (recorded: Recorded): Recorded =>
  'trace' in recorded ? { ...recorded, trace: startAtFirstStep(recorded.trace) } : recorded

function outcomesOf(recorded: Recorded, name: string): Outcome[] {
  if ('result' in recorded)
    return recorded.result.outcomes.map(({ spread: _, ...outcome }) => ({
      ...outcome,
      label: `${name} (${outcome.label ?? outcome.policy})`,
    }))
  const { trace } = recorded
  // A run with an unknown policy is shown like one without a policy.
  const policy = policies.find((one) => one === trace.policy) ?? 'None'
  const { measures, series, marks, kinds } = measureTrace(trace)
  return [{ policy, label: name, measures, series, marks, kinds, failures: [] }]
}

/** The file's name, with its folder where two have the same. */
function shortName(name: string, recorded: readonly Recorded[]): string {
  const base = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  return recorded.filter((other) => base(other.name) === base(name)).length > 1 ? name : base(name)
}
