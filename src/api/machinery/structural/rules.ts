// The rules of a schema (x-kubernetes-validations): compiled once, evaluated for every object that is written.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.Compile, Validator.Validate, Validator.validateExpressions
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.fieldErrorForReason, ValidFieldPath, ratchetingOptions.*

import { isEqualJson } from '../../../base/json.ts'
import { getOrAdd } from '../../../base/maps.ts'
import {
  Budget,
  type CelType,
  CompileError,
  CostExceededError,
  compile,
  EvaluationError,
  InstantiationError,
  Optional,
  optionalOf,
  type Program,
  perObjectLimit,
} from '../cel/cel.ts'
import { type FieldError, omitted } from '../field-error.ts'
import { isJsonObject } from '../json-object.ts'
import type { JsonSchema, ValidationRule } from './definition.ts'
import { resourceType, ruleType } from './rule-types.ts'
import { anywhereIn } from './schema-search.ts'
import { correlated } from './values.ts'

type Fields = Readonly<Record<string, unknown>>

export interface CompiledRule {
  readonly rule: ValidationRule
  readonly usesOldSelf: boolean
  readonly program?: Program
  readonly message?: Program
  /** What is wrong with the rule. */
  readonly problem?: string
  readonly messageProblem?: string
}

const compiled = new WeakMap<JsonSchema, readonly CompiledRule[]>()

/** `isResource`: the schema is that of a whole object. */
export function compileRules(schema: JsonSchema, isResource: boolean): readonly CompiledRule[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  if (rules.length === 0) return []
  return getOrAdd(compiled, schema, () => {
    const type = isResource || schema['x-kubernetes-embedded-resource'] === true ? resourceType(schema) : ruleType(schema)
    return rules.map((rule) => compileRule(rule, type))
  })
}

function compileRule(rule: ValidationRule, type: CelType | null): CompiledRule {
  if (type === null || rule.rule.trim() === '') return { rule, usesOldSelf: false }
  const variables = { self: type, oldSelf: rule.optionalOldSelf === true ? optionalOf(type) : type }
  try {
    const program = compile(rule.rule, { variables })
    if (program.type.kind !== 'bool') return { rule, usesOldSelf: false, problem: 'cel expression must evaluate to a bool' }
    return { rule, usesOldSelf: program.variablesRead.has('oldSelf'), program, ...compileMessage(rule, variables) }
  } catch (error) {
    return { rule, usesOldSelf: false, problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  if (error instanceof CompileError) return `compilation failed: ${error.message}`
  if (error instanceof InstantiationError) return `program instantiation failed: ${error.message}`
  throw error
}

function compileMessage(
  { messageExpression }: ValidationRule,
  variables: Readonly<Record<string, CelType>>,
): { message?: Program; messageProblem?: string } {
  if (messageExpression === undefined || messageExpression === '') return {}
  try {
    const message = compile(messageExpression, { variables })
    return message.type.kind === 'string' ? { message } : { messageProblem: 'messageExpression must evaluate to a string' }
  } catch (error) {
    return { messageProblem: `messageExpression ${problemOf(error).replace(/^program /, '')}` }
  }
}

export const hasRules = anywhereIn((schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0)

interface RuleOptions {
  /** Whether the schema is that of a whole object; true by default. */
  readonly isRoot?: boolean
  /** Whether a value that did not change may stay wrong; true by default. */
  readonly ratchets?: boolean
}

/** Evaluates the rules of a schema for a value, and for its state before an update. */
export function validateRules(schema: JsonSchema, value: unknown, old: unknown, options: RuleOptions = {}): FieldError[] {
  const { isRoot = true, ratchets = true } = options
  const walk: Walk = { errors: [], budget: new Budget(perObjectLimit), isSpent: false, ratchets }
  evaluate(walk, schema, value, old, '', isRoot)
  return walk.errors
}

interface Walk {
  readonly errors: FieldError[]
  readonly budget: Budget
  readonly ratchets: boolean
  isSpent: boolean
}

function evaluate(walk: Walk, schema: JsonSchema, value: unknown, old: unknown, path: string, isResource: boolean): void {
  if (walk.isSpent || value === null || value === undefined || !hasRules(schema)) return
  for (const rule of compileRules(schema, isResource)) {
    evaluateRule(walk, schema, rule, value, old ?? undefined, path)
    if (walk.isSpent) return
  }
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return
    const before = correlated(schema, old)
    for (const [at, item] of value.entries()) evaluate(walk, items, item, before?.(item), `${path}[${at}]`, false)
    return
  }
  if (!isJsonObject(value)) return
  const before = isJsonObject(old) ? old : undefined
  const { properties, additionalProperties } = schema
  for (const name of Object.keys(value)) {
    const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (declared !== undefined) evaluate(walk, declared, value[name], before?.[name], path === '' ? name : `${path}.${name}`, false)
    else if (typeof additionalProperties === 'object')
      evaluate(walk, additionalProperties, value[name], before?.[name], `${path}[${name}]`, false)
  }
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run'

function evaluateRule(walk: Walk, schema: JsonSchema, compiledRule: CompiledRule, value: unknown, old: unknown, path: string): void {
  const { rule, program, usesOldSelf } = compiledRule
  const field = path === '' ? '<nil>' : path
  const add = (detail: string) => walk.errors.push({ type: 'FieldValueInvalid', field, value: schema.type ?? '', detail })
  if (compiledRule.problem !== undefined) {
    add(`rule compile error: ${compiledRule.problem}`)
    return
  }
  if (program === undefined || (usesOldSelf && old === undefined && rule.optionalOldSelf !== true)) return
  if (walk.budget.remaining <= 0) {
    add(outOfBudget)
    walk.isSpent = true
    return
  }
  const oldSelf = rule.optionalOldSelf === true ? (old === undefined ? Optional.none : optionalValue(schema, old)) : old
  const values = { self: value, ...(oldSelf !== undefined && { oldSelf }) }
  try {
    if (program.evaluate(values, walk.budget) === true) return
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    if (error instanceof CostExceededError) {
      add(
        walk.budget.remaining <= 0
          ? outOfBudget
          : `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shownRule(rule)}`,
      )
      walk.isSpent = true
    } else if (error.message.startsWith('no such overload'))
      add(`'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shownRule(rule)}`)
    else add(`${error.message} evaluating rule: ${shownRule(rule)}`)
    return
  }
  // Errors of values that an update does not change are not reported.
  if (walk.ratchets && !usesOldSelf && old !== undefined && isEqualJson(value, old)) return
  walk.errors.push({
    type: (reasons.find((one) => one === rule.reason) ?? 'FieldValueInvalid') as FieldError['type'],
    field: rule.fieldPath === undefined || rule.fieldPath === '' ? field : joinPath(path, rule.fieldPath),
    value: schema.type === 'object' || schema.type === 'array' ? omitted : value,
    detail: messageOf(compiledRule, values, walk.budget),
  })
}

const optionalValue = (schema: JsonSchema, old: unknown): Optional => {
  const type = ruleType(schema)
  return new Optional(type === null ? old : compile('x', { variables: { x: type } }).evaluate({ x: old }))
}

/** The types of error that a rule may name. */
export const reasons: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

function joinPath(path: string, fieldPath: string): string {
  const inner = fieldPath.replace(/\['((?:\\.|[^'])*)'\]/g, (_all, name: string) => `[${name.replace(/\\(.)/g, '$1')}]`)
  return path === '' ? inner.replace(/^\./, '') : `${path}${inner}`
}

function messageOf({ rule, message }: CompiledRule, values: Fields, budget: Budget): string {
  if (message !== undefined) {
    try {
      const text = message.evaluate(values, budget)
      if (typeof text === 'string' && text.trim() !== '' && !text.includes('\n') && text.length <= 5 * 1024) return text.trim()
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error
    }
  }
  return rule.message !== undefined && rule.message !== '' ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`
}

const shownRule = ({ rule, message }: ValidationRule) => (message !== undefined && message !== '' ? message.trim() : rule.trim())
