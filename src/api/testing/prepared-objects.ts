// For tests: objects go the way of a request, from text to canonical form to defaults.
import { decode } from '../machinery/decode/decode.ts'
import { defaultFeatureGates, type FeatureGates } from '../machinery/feature-gates.ts'
import { apiVersionOf, fillDefaults, type Kind, type StrategyContext } from '../machinery/kind.ts'
import type { KubernetesObject } from '../types.ts'

export const contextWith = (gates: Partial<FeatureGates> = {}): StrategyContext => ({
  gates: { ...defaultFeatureGates, ...gates },
  nowMs: Date.UTC(2026, 10, 1, 12),
})

/** Parsed JSON, so that tests can write what users write and read deep into what comes of it. */
export type Loose = ReturnType<typeof JSON.parse>

export function decoded<T extends KubernetesObject>(kind: Kind<T>, object: object): Loose {
  return decode<Loose>(kind.type, object, { kind: kind.kind, apiVersion: apiVersionOf(kind) }).object
}

/** The object after decoding and defaulting. Fails when it is not what Go would write, or changes when defaulted again. */
export function defaulted<T extends KubernetesObject>(kind: Kind<T>, object: object, context = contextWith()): Loose {
  const result = decoded(kind, object)
  fillDefaults(kind.strategy, result, context)
  checkCanonical(kind, result)
  const again = structuredClone(result)
  fillDefaults(kind.strategy, again, context)
  same('changed when defaulted again', again, result)
  return result
}

/** The same, and made ready to be created, with a uid as the server sets it. */
export function created<T extends KubernetesObject>(kind: Kind<T>, object: object, context = contextWith()): Loose {
  const result = decoded(kind, object)
  fillDefaults(kind.strategy, result, context)
  result.metadata.uid = 'uid-1'
  kind.strategy.prepareForCreate?.(result, context)
  checkCanonical(kind, result)
  return result
}

export function updated<T extends KubernetesObject>(kind: Kind<T>, object: object, current: Loose, context = contextWith()): Loose {
  const next = decoded(kind, object)
  fillDefaults(kind.strategy, next, context)
  kind.strategy.prepareForUpdate?.(next, current, context)
  return next
}

export function checkCanonical<T extends KubernetesObject>(kind: Kind<T>, object: Loose): void {
  const { metadata: _, ...rest } = object
  const { metadata: __, ...canonical } = decoded(kind, object)
  same('not in canonical form', rest, canonical)
}

function same(problem: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`The object is ${problem}:\n  ${a}\n  ${b}`)
}
