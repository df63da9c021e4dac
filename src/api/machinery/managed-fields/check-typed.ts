// Whether a configuration has the form of its kind: every field known, every value of the right type, no element of a
// list twice. The sentences are those of structured-merge-diff.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.validatingObjectWalker.*, validateScalar, keyedAssociativeListItemToPathElement
import { formatGoValue, goTypeOf } from '../go-text.ts'
import { isJsonObject } from '../json-object.ts'
import { elementOf, elementProblem } from './list-element.ts'
import { formatElement } from './path-element.ts'
import { type ListShape, memberShape, type ScalarShape, type Shape } from './shape.ts'

interface Problem {
  readonly path: string
  readonly message: string
}

/** The error message, or undefined. */
export function typeProblem(shape: Shape, value: unknown): string | undefined {
  const problems: Problem[] = []
  check(shape, value, '', problems)
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  if (lines.length <= 1) return lines[0]
  return ['errors:', ...lines.map((line) => `  ${line}`)].join('\n')
}

function check(shape: Shape, value: unknown, path: string, problems: Problem[]): void {
  if (value === null || value === undefined) return
  const complain = (message: string) => void problems.push({ path, message })
  switch (shape.kind) {
    case 'any':
    case 'deduced':
      return
    case 'scalar': {
      const problem = scalarProblem(shape.scalar, value)
      if (problem !== undefined) complain(problem)
      return
    }
    case 'list':
      if (Array.isArray(value)) checkElements(shape, value, path, problems)
      else complain(`expected list, got &{${formatGoValue(value)}}`)
      return
    case 'map':
    case 'struct':
      if (!isJsonObject(value)) {
        complain(`expected map, got &{${formatGoValue(value)}}`)
        return
      }
      for (const key of Object.keys(value)) {
        const member = memberShape(shape, key)
        if (member === undefined) {
          problems.push({ path: `${path}.${key}`, message: 'field not declared in schema' })
          return
        }
        check(member, value[key], `${path}.${key}`, problems)
      }
  }
}

function checkElements(shape: ListShape, list: readonly unknown[], path: string, problems: Problem[]): void {
  const seen = new Set<string>()
  for (const [at, value] of list.entries()) {
    if (shape.atomic) {
      check(shape.of, value, `${path}[${at}]`, problems)
      continue
    }
    const element = elementOf(shape, value)
    if (element === undefined) {
      problems.push({ path, message: `element ${at}: ${elementProblem(shape, value)}` })
      return
    }
    if (seen.has(element)) problems.push({ path, message: `duplicate entries for key ${formatElement(element)}` })
    seen.add(element)
    check(shape.of, value, `${path}${formatElement(element)}`, problems)
  }
}

function scalarProblem(scalar: ScalarShape['scalar'], value: unknown): string | undefined {
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goTypeOf(value)}`
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${formatGoValue(value)}}`
    case 'unchecked':
      return undefined
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${formatGoValue(value)}}` : undefined
  }
}

/** `%#v` of decoded JSON. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : formatGoValue(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`)
  return `map[string]interface {}{${members.join(', ')}}`
}
