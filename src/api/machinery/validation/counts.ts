// Numbers of replicas, pods and seconds: integers, or percentages of the replicas.
// Kubernetes: k8s.io/apimachinery/pkg/api/validation.ValidateNonnegativeField
// Kubernetes: pkg/apis/apps/validation.ValidatePositiveIntOrPercent, IsNotMoreThan100Percent
import { type FieldError, invalid, typed } from '../field-error.ts'
import type { IntOrString } from '../types.ts'
import { isValidPercent, notNegativeMessage } from './names.ts'

export function addNegative(errors: FieldError[], value: number | undefined, path: string): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, notNegativeMessage))
}

/** The percentage that a text names, or undefined. */
function percentOf(value: IntOrString): number | undefined {
  return typeof value === 'string' && isValidPercent(value).length === 0 ? Number(value.slice(0, -1)) : undefined
}

/** The number, with or without a percent sign; 0 if it cannot be parsed. */
export function plainNumber(value: IntOrString | undefined): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  return percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0)
}

const shownIntOrString = (value: IntOrString) => (typeof value === 'string' ? typed(value) : value)

/** A number that is not negative, or a percentage. */
export function addIntOrPercentErrors(errors: FieldError[], value: IntOrString | undefined, path: string): void {
  if (typeof value === 'number') addNegative(errors, value, path)
  else if (value !== undefined) for (const message of isValidPercent(value)) errors.push(invalid(path, typed(value), message))
}

export function addOver100Percent(errors: FieldError[], value: IntOrString | undefined, path: string): void {
  if (value !== undefined && (percentOf(value) ?? 0) > 100)
    errors.push(invalid(path, shownIntOrString(value), 'must not be greater than 100%'))
}

export const shownNumber = (value: IntOrString | undefined): unknown => (value === undefined ? 0 : shownIntOrString(value))

/** KEP-2804: the number or percentage of replicas that must be available. */
export function addThresholdErrors(errors: FieldError[], value: IntOrString | undefined): void {
  const path = 'spec.operationalThreshold'
  addIntOrPercentErrors(errors, value, path)
  addOver100Percent(errors, value, path)
}

/** A rollout that must finish in less time than a pod needs to be available can never succeed. */
export function addDeadlineErrors(errors: FieldError[], deadlineSeconds: number | undefined, minReadySeconds: number): void {
  if (deadlineSeconds === undefined) return
  const path = 'spec.progressDeadlineSeconds'
  addNegative(errors, deadlineSeconds, path)
  if (deadlineSeconds <= minReadySeconds) errors.push(invalid(path, deadlineSeconds, 'must be greater than minReadySeconds'))
}

/** The collisionCount of a status may only grow. */
export function addCollisionCountErrors(errors: FieldError[], next: number | undefined, current: number | undefined): void {
  if (current !== undefined && (next ?? Number.NEGATIVE_INFINITY) < current)
    errors.push(invalid('status.collisionCount', next ?? 0, 'cannot be decremented'))
}

/** Counters in a status: none is negative. */
export function addNegatives<K extends string>(
  errors: FieldError[],
  status: { readonly [key in K]?: number | undefined },
  fields: readonly K[],
  path = 'status',
): void {
  for (const field of fields) addNegative(errors, status[field], `${path}.${field}`)
}

/** Counters in a status: each is a part of `whole`. */
export function addLargerThan<K extends string>(
  errors: FieldError[],
  status: { readonly [key in K]?: number | undefined },
  fields: readonly K[],
  whole: number | undefined,
  message: string,
): void {
  for (const field of fields) {
    const value = status[field] ?? 0
    if (value > (whole ?? 0)) errors.push(invalid(`status.${field}`, value, message))
  }
}
