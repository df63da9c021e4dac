// The expressions of a configuration are compiled before it is stored, so that a mistake is reported to its author.
import { type FieldError, invalid } from '../../../api/machinery/field-error.ts'
import type { ResultType } from './expressions.ts'

interface WrittenExpression {
  readonly path: string
  readonly expression: string
  readonly result: ResultType
}

interface Condition {
  readonly expression: string
}

interface Configured {
  readonly webhooks?: readonly { readonly matchConditions?: readonly Condition[] }[]
  readonly spec?: {
    readonly matchConditions?: readonly Condition[]
    readonly variables?: readonly Condition[]
    readonly validations?: readonly (Condition & { readonly messageExpression?: string })[]
    readonly auditAnnotations?: readonly { readonly valueExpression: string }[]
    readonly mutations?: readonly { readonly applyConfiguration?: Partial<Condition>; readonly jsonPatch?: Partial<Condition> }[]
  }
}

function expressionsOf({ webhooks = [], spec = {} }: Configured): WrittenExpression[] {
  const found: WrittenExpression[] = []
  const add = (path: string, expression: string | undefined, result: ResultType) => {
    if (expression) found.push({ path, expression, result })
  }
  const addConditions = (path: string, conditions: readonly Condition[] = []) => {
    for (const [i, { expression }] of conditions.entries()) add(`${path}matchConditions[${i}].expression`, expression, 'bool')
  }
  for (const [i, { matchConditions }] of webhooks.entries()) addConditions(`webhooks[${i}].`, matchConditions)
  for (const [i, { expression }] of (spec.variables ?? []).entries()) add(`spec.variables[${i}].expression`, expression, 'any')
  for (const [i, { expression, messageExpression }] of (spec.validations ?? []).entries()) {
    add(`spec.validations[${i}].expression`, expression, 'bool')
    add(`spec.validations[${i}].messageExpression`, messageExpression, 'string')
  }
  addConditions('spec.', spec.matchConditions)
  for (const [i, { valueExpression }] of (spec.auditAnnotations ?? []).entries())
    add(`spec.auditAnnotations[${i}].valueExpression`, valueExpression, 'any')
  for (const [i, { applyConfiguration, jsonPatch }] of (spec.mutations ?? []).entries()) {
    add(`spec.mutations[${i}].applyConfiguration.expression`, applyConfiguration?.expression, 'object')
    add(`spec.mutations[${i}].jsonPatch.expression`, jsonPatch?.expression, 'patches')
  }
  return found
}

/** Expressions that the stored version has already are not compiled again. */
export async function findExpressionErrors(next: object, current: object | undefined): Promise<FieldError[]> {
  const known = new Set(current && expressionsOf(current as Configured).map(({ result, expression }) => `${result} ${expression}`))
  const fresh = expressionsOf(next as Configured).filter(({ result, expression }) => !known.has(`${result} ${expression}`))
  if (fresh.length === 0) return []
  const { compileExpression } = await import('./expressions.ts')
  const errors: FieldError[] = []
  for (const { path, expression, result } of fresh) {
    try {
      compileExpression(expression, result)
    } catch (error) {
      errors.push(invalid(path, expression, `compilation failed: ${(error as Error).message}`))
    }
  }
  return errors
}
