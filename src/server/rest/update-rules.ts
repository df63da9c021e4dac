// The fields that an update may change: rules for the object itself and for its subresources.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeUpdate

import type { FieldError } from '../../api/machinery/field-error.ts'
import { hasSubresource, type Kind, type StrategyContext } from '../../api/machinery/kind.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { KindBehavior } from '../kinds/kind-behavior.ts'
import { isContentChanged } from './object-changes.ts'
import type { NewObject } from './write-steps.ts'

export interface UpdateTarget {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
  readonly subresource: string | undefined
}

export interface UpdateRules {
  /** Restores the fields that this endpoint may not change, in place. */
  prepare(next: NewObject, current: KubernetesObject, context: StrategyContext): void
  validate(next: NewObject, current: KubernetesObject, context: StrategyContext): readonly FieldError[]
  /** Whether a write to this endpoint can increment metadata.generation. */
  readonly countsGeneration: boolean
}

type Fields = Record<string, unknown>

/** Restores all fields except those in `taken`. */
export function keepAllBut(next: NewObject, current: KubernetesObject, taken: ReadonlySet<string>): void {
  const from = current as Fields
  const to = next as Fields
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
  validate: (next, current, context) => strategy.validateUpdate?.(next, current, context) ?? strategy.validate?.(next, context) ?? [],
  countsGeneration: true,
})

/** The rules of the endpoints whose body is the whole object, by the subresource; undefined is the object itself. */
export type EndpointRules = ReadonlyMap<string | undefined, UpdateRules>

export function endpointRules(kind: Kind, { subresources = {} }: KindBehavior): EndpointRules {
  const ofObject = objectRules(kind)
  const all = new Map<string | undefined, UpdateRules>([[undefined, ofObject]])
  if (hasSubresource(kind, 'status')) all.set('status', statusRules(kind))
  if (kind.scale !== undefined) all.set('scale', ofObject)
  for (const [name, { rules }] of Object.entries(subresources)) if (rules !== undefined) all.set(name, rules)
  return all
}

export function requireRules(endpoints: EndpointRules, subresource: string | undefined): UpdateRules {
  const rules = endpoints.get(subresource)
  if (rules === undefined) throw noSuchEndpointError()
  return rules
}

/** Increments metadata.generation when the desired state has changed. */
export function countGeneration({ strategy }: Kind, next: NewObject, current: KubernetesObject): void {
  const isChanged = strategy.generationChanges?.(next, current) ?? isContentChanged(next, current)
  if (isChanged) next.metadata.generation = (current.metadata?.generation ?? 0) + 1
}

export const noSuchEndpointError = () => failure(404, 'NotFound', 'the server could not find the requested resource', {})
