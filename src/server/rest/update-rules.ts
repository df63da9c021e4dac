// What an update may change: the rules of the object itself, and of each subresource that is a part of it.
import type { FieldError } from '../../api/field-error.ts'
import type { Kind, StrategyContext } from '../../api/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { NewObject } from './input.ts'

export interface UpdateRules {
  /** Brings back what this endpoint may not change, in place. */
  prepare(next: NewObject, current: KubernetesObject, context: StrategyContext): void
  validate(next: NewObject, current: KubernetesObject, context: StrategyContext): readonly FieldError[]
  /** A write here can move metadata.generation. */
  readonly countsGeneration: boolean
}

type Fields = Record<string, unknown>

/** Only these fields of the object are taken; the rest stays as it is. */
function keepAllBut(next: NewObject, current: KubernetesObject, taken: ReadonlySet<string>): void {
  const from = current as unknown as Fields
  const to = next as unknown as Fields
  for (const field of Object.keys(to)) if (!taken.has(field) && !Object.hasOwn(from, field)) delete to[field]
  for (const field of Object.keys(from)) if (!taken.has(field)) to[field] = from[field]
}

const statusFields = new Set(['metadata', 'status'])

const statusRules = ({ strategy }: Kind): UpdateRules => ({
  prepare(next, current, context) {
    if (strategy.prepareForStatusUpdate) strategy.prepareForStatusUpdate(next, current, context)
    else keepAllBut(next, current, statusFields)
  },
  validate: (next, current, context) => strategy.validateStatusUpdate?.(next, current, context) ?? [],
  countsGeneration: false,
})

const objectRules = ({ strategy }: Kind): UpdateRules => ({
  prepare: (next, current, context) => strategy.prepareForUpdate?.(next, current, context),
  validate: (next, current, context) => strategy.validateUpdate?.(next, current, context) ?? [],
  countsGeneration: true,
})

/** The rules of an endpoint whose body is the whole object. */
export function rulesOf(kind: Kind, subresource: string | undefined): UpdateRules {
  if (subresource === undefined) return objectRules(kind)
  return statusRules(kind)
}
