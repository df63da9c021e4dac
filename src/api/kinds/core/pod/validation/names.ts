// Rules for strings and files that only pods have.
// Kubernetes: pkg/apis/core/validation.validateLocalDescendingPath, validatePathNoBacksteps, ValidateLocalNonReservedPath
// Kubernetes: pkg/apis/core/validation.fileModeErrorMsg
// Kubernetes: k8s.io/apimachinery/pkg/api/validate/content.IsDecimalInteger
import { type At, type FieldError, invalid, required } from '../../../../machinery/field-error.ts'
import type { Volume } from '../../../../types.ts'

/** Go's pointer is not nil. */
export const isGiven = <T>(value: T | undefined | null): value is T => value !== undefined && value !== null

/** Adds an error for each message about the value. */
export function addProblems(errors: FieldError[], problems: readonly string[], value: unknown, at: At): void {
  if (problems.length > 0) for (const problem of problems) errors.push(invalid(at(), value, problem))
}

/** Numbers in tolerations: no sign but minus, no leading zeros. */
export function isDecimalInteger(value: string): readonly string[] {
  if (value === '') return ['must be non-empty']
  return /^(0|-?[1-9][0-9]*)$/.test(value) ? [] : ['must be a valid decimal integer in canonical form']
}

const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const spaceAround = new RegExp(`^${space}|${space}$`)

/** Whether Go's TrimSpace would change the text. */
export const hasSpaceAround = (text: string) => spaceAround.test(text)

/** A relative path without `..`. */
export function checkDescendingPath(errors: FieldError[], path: string, at: At): void {
  if (path.startsWith('/')) errors.push(invalid(at(), path, 'must be a relative path'))
  checkNoBacksteps(errors, path, at)
}

export function checkNoBacksteps(errors: FieldError[], path: string, at: At): void {
  if (hasBacksteps(path)) errors.push(invalid(at(), path, "must not contain '..'"))
}

export const hasBacksteps = (path: string) => path.includes('..') && path.split('/').includes('..')

/** A path that a volume's files may have: it must not look like the names that the volume itself uses. */
export function checkNonReservedPath(errors: FieldError[], path: string, at: At): void {
  checkDescendingPath(errors, path, at)
  if (path.startsWith('..') && !path.startsWith('../')) errors.push(invalid(at(), path, "must not start with '..'"))
}

export function checkMode(errors: FieldError[], mode: number | undefined, at: At): void {
  if (isGiven(mode) && (mode > 0o777 || mode < 0))
    errors.push(invalid(at(), mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
}

type KeyToPath = NonNullable<NonNullable<Volume['secret']>['items']>[number]

export function checkKeyToPath(errors: FieldError[], { key, path = '', mode }: KeyToPath, at: At): void {
  if (!key) errors.push(required(`${at()}.key`, ''))
  if (path === '') errors.push(required(`${at()}.path`, ''))
  checkNonReservedPath(errors, path, () => `${at()}.path`)
  checkMode(errors, mode, () => `${at()}.mode`)
}
