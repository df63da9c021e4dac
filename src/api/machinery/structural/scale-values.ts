// The values that the scale subresource of a custom resource reads.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.scaleFromCustomResource, splitReplicasPath
import { type FieldError, invalid } from '../field-error.ts'
import { formatGoValue, goTypeOf } from '../go-text.ts'
import { isJsonObject, ownValue } from '../json-object.ts'
import type { DefinitionVersion } from './definition.ts'

export type ScalePaths = NonNullable<NonNullable<DefinitionVersion['subresources']>['scale']>

export function validateScaleSpec({ specReplicasPath }: ScalePaths, object: unknown): FieldError[] {
  return countErrors(specReplicasPath, object)
}

export function validateScaleStatus({ statusReplicasPath, labelSelectorPath = '' }: ScalePaths, object: unknown): FieldError[] {
  const errors = countErrors(statusReplicasPath, object)
  if (labelSelectorPath === '') return errors
  const { value, problem } = memberAt(object, labelSelectorPath)
  if (problem !== undefined) errors.push(invalid(labelSelectorPath, '', problem))
  else if (value !== undefined && typeof value !== 'string')
    errors.push(invalid(labelSelectorPath, '', accessProblem(labelSelectorPath, value, 'string')))
  return errors
}

function countErrors(path: string, object: unknown): FieldError[] {
  const { value, problem } = memberAt(object, path)
  if (problem !== undefined) return [invalid(path, 0, problem)]
  if (value === undefined) return []
  if (typeof value !== 'number' || !Number.isInteger(value)) return [invalid(path, 0, accessProblem(path, value, 'int64'))]
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')]
  return value > 2 ** 31 - 1 ? [invalid(path, value, `should be less than or equal to ${2 ** 31 - 1}`)] : []
}

interface Member {
  readonly value?: unknown
  /** Where a value on the way has no members. A null on the way counts as absent. */
  readonly problem?: string
}

function memberAt(object: unknown, path: string): Member {
  let value = object
  let read = ''
  for (const name of path.split('.').slice(1)) {
    read += `.${name}`
    if (value === undefined || value === null) return {}
    if (!isJsonObject(value)) return { problem: accessProblem(read, value, 'map[string]interface{}') }
    value = ownValue(value, name)
  }
  return { value }
}

const accessProblem = (path: string, value: unknown, wanted: string) =>
  `${path} accessor error: ${formatGoValue(value)} is of the type ${value === null ? '<nil>' : goTypeOf(value)}, expected ${wanted}`
