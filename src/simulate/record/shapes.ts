import { isJsonObject } from '../../api/machinery/json-object.ts'
// Checks the shape of values that were read from a file.

export type Check = (value: unknown) => boolean

export const isText: Check = (value) => typeof value === 'string'
export const isFlag: Check = (value) => typeof value === 'boolean'
/** A whole number that is not absurdly large. */
export const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1e9
export const isAmount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0

export const isAbsentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

/** Fields beyond these may be there. */
export const hasShape =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(shape).every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined))

export const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

export const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string)
