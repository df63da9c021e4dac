// The values that the scale subresource of a custom resource reads.
import { type FieldError, invalid } from '../field-error.ts'
import { isJsonObject } from '../json-object.ts'
import { formatGoValue, goTypeOf } from '../patch/go-format.ts'
import type { DefinitionVersion } from './definition.ts'

export type ScalePaths = NonNullable<NonNullable<DefinitionVersion['subresources']>['scale']>

export function validateScaleSpec({ specReplicasPath }: ScalePaths, object: unknown): FieldError[] {
  return countErrors(specReplicasPath, object)
}

export function validateScaleStatus({ statusReplicasPath, labelSelectorPath = '' }: ScalePaths, object: unknown): FieldError[] {
  const selector = labelSelectorPath === '' ? undefined : memberAt(object, labelSelectorPath)
  const isText = selector === undefined || typeof selector === 'string'
  return [
    ...countErrors(statusReplicasPath, object),
    ...(isText ? [] : [invalid(labelSelectorPath, '', accessProblem(labelSelectorPath, selector, 'string'))]),
  ]
}

function countErrors(path: string, object: unknown): FieldError[] {
  const value = memberAt(object, path)
  if (value === undefined) return []
  if (typeof value !== 'number' || !Number.isInteger(value)) return [invalid(path, 0, accessProblem(path, value, 'int64'))]
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')]
  return value > 2 ** 31 - 1 ? [invalid(path, value, `should be less than or equal to ${2 ** 31 - 1}`)] : []
}

function memberAt(object: unknown, path: string): unknown {
  let value = object
  for (const name of path.split('.').slice(1)) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

const accessProblem = (path: string, value: unknown, wanted: string) =>
  `${path} accessor error: ${formatGoValue(value)} is of the type ${value === null ? '<nil>' : goTypeOf(value)}, expected ${wanted}`
